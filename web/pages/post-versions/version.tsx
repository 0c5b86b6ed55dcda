/** One edit of a post: what it changed, and a way back to how the post was after it. */
import type { ComponentChildren } from "preact";
import { type Ref, unmask } from "../../lib/mask.js";
import { ago, inFull } from "../../lib/time.js";
import { Byline } from "../../parts/byline.js";
import { postUrl, searchUrl } from "../../routes.js";
import { words } from "../../titles.js";
import type { Version_VersionFragment } from "./__generated__/post-versions.js";

type Version = Version_VersionFragment;

const RATINGS = { SAFE: "Safe", QUESTIONABLE: "Questionable", EXPLICIT: "Explicit" };

interface TagProps {
  name: string;
  isAdded: boolean;
  /** the post is no longer so */
  isObsolete: boolean;
}

function Tag({ name, isAdded, isObsolete }: TagProps) {
  const Mark = isAdded ? "ins" : "del";
  return (
    <li class={isObsolete ? "is-obsolete" : ""} title={isObsolete ? "Changed again since" : undefined}>
      <Mark>
        <span aria-hidden="true">{isAdded ? "+" : "−"}</span>
        <span class="Unseen">{isAdded ? "Added " : "Removed "}</span>
        <a href={searchUrl(name)} dir="auto">
          {words(name)}
        </a>
      </Mark>
    </li>
  );
}

interface ChangeProps {
  name: string;
  before: ComponentChildren;
  after: ComponentChildren;
}

const Change = ({ name, before, after }: ChangeProps) => (
  <p class="Version-change">
    {name}:{" "}
    {before && (
      <>
        <del dir="auto">{before}</del> <span aria-hidden="true">→</span>{" "}
      </>
    )}
    <ins dir="auto">{after || "none"}</ins>
  </p>
);

function Changes({ version }: { version: Version }) {
  const { previous, addedTags, removedTags, obsoleteAddedTags, obsoleteRemovedTags } = version;
  const rating = { before: previous && RATINGS[previous.rating], after: RATINGS[version.rating] };
  return (
    <div class="Version-changes">
      {addedTags.length + removedTags.length > 0 && (
        <ul class="Version-tags" aria-label="Tags">
          {addedTags.map((name) => (
            <Tag key={name} name={name} isAdded isObsolete={obsoleteAddedTags.includes(name)} />
          ))}
          {removedTags.map((name) => (
            <Tag key={name} name={name} isAdded={false} isObsolete={obsoleteRemovedTags.includes(name)} />
          ))}
        </ul>
      )}
      {version.ratingChanged && <Change name="Rating" {...rating} />}
      {version.sourceChanged && <Change name="Source" before={previous?.source} after={version.source} />}
      {version.parentChanged && <Change name="Parent" before={previous?.parentId} after={version.parentId} />}
    </div>
  );
}

interface Props {
  version: Ref<Version>;
  /** whether versions of several posts are listed */
  hasPosts: boolean;
  /** whether the post is so already */
  isNewest: boolean;
  onRevert: (postId: number, versionId: number) => void;
}

export function VersionItem({ version: reference, hasPosts, isNewest, onRevert }: Props) {
  const version = unmask<Version>(reference);
  const { post } = version;
  return (
    <li class="Version">
      {hasPosts && (
        <a class="Version-post" href={postUrl(version.postId)} aria-label={`Post ${version.postId}`}>
          {post?.thumbnail ? <img src={post.thumbnail.url} alt="" loading="lazy" /> : `Post ${version.postId}`}
        </a>
      )}
      <div class="Version-edit">
        <p class="Version-head">
          <b>Version {version.version}</b>
          {version.updater && <Byline user={version.updater} />}
          <time dateTime={version.updatedAt} title={inFull(version.updatedAt)}>
            {ago(version.updatedAt)}
          </time>
          {post?.viewerCan.update && !isNewest && (
            <button
              class="Button is-bare"
              type="button"
              aria-label={`Revert to this, version ${version.version}`}
              onClick={() => onRevert(version.postId, version.id)}
            >
              Revert to this
            </button>
          )}
        </p>
        <Changes version={version} />
      </div>
    </li>
  );
}
