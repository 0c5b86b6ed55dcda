/** A post: its picture, its facts beside it, and the comments below. */
import type { JSX } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { useDrawn } from "../../lib/drawn.js";
import { type Shortcut, useShortcuts } from "../../lib/keys.js";
import { useDocument } from "../../lib/graphql.js";
import { useLive } from "../../lib/live.js";
import { useOpened } from "../../lib/opened.js";
import { memo } from "../../lib/memo.js";
import { go } from "../../lib/router.js";
import type { Steps } from "../../lib/swipe.js";
import { SCRIPT_KEYS } from "../../lib/tag-scripts.js";
import { useTitle } from "../../lib/title.js";
import { later } from "../../parts/later.js";
import { Refusal, RefusalOf } from "../../parts/refusal.js";
import { TagList } from "../../parts/tag-list.js";
import { type KnownPost, knownPost, walkAlong } from "../../parts/walk.js";
import { type Place, poolSearch, postUrl, postVariables } from "../../routes.js";
import { postTitle } from "../../titles.js";
import { NewCommentDocument } from "./__generated__/comments.js";
import { PostChangeDocument, PostDocument, PostNowDocument, type PostQuery } from "./__generated__/post.js";
import { Actions, TAGS } from "./actions.js";
import { Comments } from "./comments.js";
import { Facts } from "./facts.js";
import { Family } from "./family.js";
import { NoteChangeDocument } from "./notes/__generated__/notes.js";
import { Picture } from "./picture.js";
import { type Beside, besideIn, Strip } from "./strip.js";
import "./post.css";

export { PostDocument as document };

const Edit = later(async () => (await import("./edit.js")).Edit);
const Report = later(async () => (await import("./report.js")).Report);

/** Live updates of a post. */
const EVENTS = [PostChangeDocument, NewCommentDocument, NoteChangeDocument];

type Post = NonNullable<PostQuery["post"]>;

/** Opens the posts before and after. */
function stepsOf({ before, after }: Beside, search: string): Steps {
  const step = (to: { id: number } | undefined) => to && (() => go(postUrl(to.id, search)));
  return { previous: step(before[0]), next: step(after[0]) };
}

/** Everything below the picture. */
const Below = memo(({ post, search }: { post: Post; search: string }) => {
  const edit = useOpened();
  return (
    <>
      <Actions post={post} isEdited={edit.isOpen} opener={edit.opener} onEdit={edit.open} />
      {edit.isOpen && <Edit post={post} formId={edit.formId} onDone={edit.close} />}
      <Family post={post} search={search} />
      <Comments post={post} />
    </>
  );
});

/** Shown beside the picture, or opened by a button if there is no room. */
const Tags = ({ tags, more, search }: { tags: KnownPost["tags"]; more?: readonly string[]; search: string }) => (
  <section class="Drawer" id={TAGS} popover="auto" aria-label="Tags">
    <TagList tags={tags.map((tag) => ({ tag }))} {...(more && { more })} search={search} />
  </section>
);

/** The names of tags beyond those that the response lists with their categories and counts. */
function namesBeyond({ tags, tagString }: Post): string[] {
  const listed = new Set(tags.map(({ name }) => name));
  return tagString.split(" ").filter((name) => name !== "" && !listed.has(name));
}

const Side = memo(({ post, search }: { post: Post; search: string }) => (
  <>
    <Tags tags={post.tags} more={namesBeyond(post)} search={search} />
    <Facts post={post} />
    <Report key={post.id} post={post} />
  </>
));

/** Disables the shortcuts of the previous post while it is still visible. */
const PASSED: readonly Shortcut[] = [{ keys: `f + = - e ${SCRIPT_KEYS}`, does: "", run: () => undefined }];

interface Props {
  search: string;
  /** what the list contains of the post */
  known: KnownPost | null;
  /** its own response, once it has arrived */
  post: Post | null;
  /** the previous post, of which all but picture and strip stay visible until the new ones are drawn */
  last: Post | null;
  /** why its own response has not arrived */
  refusal: JSX.Element | null;
  /** those that the list contains of it, once picture and strip are drawn */
  tags: KnownPost["tags"] | null;
}

function Shown({ known, post, last, search, refusal, tags }: Props) {
  const beside = post ? besideIn(post) : (known as Beside);
  const steps = stepsOf(beside, search);
  const name = post ? postTitle(post) : `Post ${beside.post.id}`;
  useTitle(name);
  useEffect(() => {
    if (!post) return;
    const posts = [...beside.before.toReversed(), beside.post, ...beside.after];
    walkAlong({ search, posts, tags: post.tags });
  }, [post]);
  const whole = post ?? last;
  useShortcuts(post || !last ? [] : PASSED);
  return (
    <article class="Post" aria-busy={post === null}>
      <h1 class="Unseen" aria-live="polite">
        {name}
      </h1>
      <Strip
        beside={beside}
        steps={steps}
        search={search}
        pool={whole?.pools.find(({ id }) => search === poolSearch(id))?.name}
        isReady={post !== null}
      />
      <div class="Post-picture">
        <Picture key={beside.post.id} post={beside.post} answer={post} steps={steps} known={known?.shown ?? null} />
        {refusal ?? (whole && <Below key={whole.id} post={whole} search={search} />)}
      </div>
      <aside class="Post-side" aria-label="About this post">
        {whole ? <Side post={whole} search={search} /> : tags && <Tags tags={tags} search={search} />}
      </aside>
    </article>
  );
}

function NotFound({ id }: { id: number }) {
  useTitle("Not found");
  return <Refusal title="Not found" status={404} message={`There is no post ${id}.`} />;
}

/** A post of a list is shown from the list's data, and its own query starts once that is drawn. */
export function Page({ place }: { place: Place }) {
  const search = place.query.get("q") ?? "";
  const id = Number(place.params.id);
  const known = useMemo(() => knownPost(id, search), [id, search]);
  const isDrawn = useDrawn(id);
  const isAsked = isDrawn || known === null;
  const { data, problem, isLoading, again } = useDocument(PostDocument, postVariables(id, search), !isAsked);
  useLive(EVENTS, PostNowDocument, { postId: id }, again);
  const isAnswered = isAsked && !isLoading;
  const post = isAsked && data?.post?.id === id ? data.post : null;
  const last = useRef<Post | null>(null);
  if (isAsked) last.current = post;
  const refusal = isAnswered && problem ? <RefusalOf problem={problem} onRetry={again} /> : null;
  // without a connection, what the list contains of it is still shown
  if (refusal && !(known && problem?.code === "NETWORK")) return refusal;
  if (isAnswered && data?.post === null) return <NotFound id={id} />;
  if (!post && !known) return <p class="Post-wait">Loading …</p>;
  return (
    <Shown
      post={post}
      known={known}
      last={last.current}
      search={search}
      refusal={refusal}
      tags={isDrawn && known ? known.tags : null}
    />
  );
}
