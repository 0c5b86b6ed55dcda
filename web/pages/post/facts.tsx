/** Facts about a post and its file. */
import { type Ref, unmask } from "../../lib/mask.js";
import { RATING_NAMES } from "../../lib/rating.js";
import { bytes } from "../../lib/time.js";
import { Byline } from "../../parts/byline.js";
import { later } from "../../parts/later.js";
import { Moment } from "../../parts/moment.js";
import { versionsUrl } from "../../histories.js";
import type { Facts_PostFragment } from "./__generated__/facts.js";

const Reasons = later(async () => (await import("./reasons.js")).Reasons);

const stateOf = ({ isDeleted, isBanned, isFlagged, isPending }: Facts_PostFragment): string =>
  [isDeleted && "Deleted", isBanned && "Banned", isFlagged && "Flagged", isPending && "Pending approval"]
    .filter(Boolean)
    .join(", ");

function Source({ source }: { source: string }) {
  if (!/^https?:\/\//i.test(source) || !URL.canParse(source)) return <span dir="auto">{source}</span>;
  const { hostname } = new URL(source);
  return (
    <a href={source} rel="nofollow noreferrer ugc" title={source}>
      {hostname.replace(/^www\./, "")}
    </a>
  );
}

export function Facts({ post: reference }: { post: Ref<Facts_PostFragment> }) {
  const post = unmask<Facts_PostFragment>(reference);
  const { source, uploader, approver } = post;
  const state = stateOf(post);
  return (
    <section class="Facts" aria-labelledby="facts">
      <h2 id="facts">About</h2>
      <dl>
        {state && (
          <div>
            <dt>Status</dt>
            <dd>
              <span class="is-bad">{state}</span>
              {(post.isDeleted || post.isFlagged) && <Reasons key={state} postId={post.id} />}
            </dd>
          </div>
        )}
        <div>
          <dt>ID</dt>
          <dd>{post.id}</dd>
        </div>
        <div>
          <dt>Rating</dt>
          <dd>{RATING_NAMES[post.rating]}</dd>
        </div>
        <div>
          <dt>Size</dt>
          <dd>
            {post.imageWidth} × {post.imageHeight}, {bytes(post.fileSize)} {post.fileExt}
          </dd>
        </div>
        {source && (
          <div>
            <dt>Source</dt>
            <dd>
              <Source source={source} />
            </dd>
          </div>
        )}
        <div>
          <dt>Uploaded</dt>
          <dd>
            <Moment time={post.createdAt} />
            {uploader && (
              <>
                {" by "}
                <Byline user={uploader} />
              </>
            )}
          </dd>
        </div>
        {approver && (
          <div>
            <dt>Approved by</dt>
            <dd>
              <Byline user={approver} />
            </dd>
          </div>
        )}
      </dl>
      <p class="Facts-more">
        <a href={versionsUrl("post", { post_id: post.id })}>History</a>
        {" · "}
        <a href={versionsUrl("note", { post_id: post.id })}>Edits of notes</a>
        {" · "}
        <a href={versionsUrl("artist_commentary", { post_id: post.id })}>Edits of the commentary</a>
      </p>
    </section>
  );
}
