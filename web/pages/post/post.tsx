/** A post: its picture first, what it is beside it, and what people say below. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useDrawn } from "../../lib/drawn.js";
import { type Shortcut, useShortcuts } from "../../lib/keys.js";
import { useDocument } from "../../lib/graphql.js";
import { useLive } from "../../lib/live.js";
import { go } from "../../lib/router.js";
import type { Steps } from "../../lib/swipe.js";
import { useTitle } from "../../lib/title.js";
import { later } from "../../parts/later.js";
import { Refusal, RefusalOf } from "../../parts/refusal.js";
import { TagList } from "../../parts/tag-list.js";
import { type KnownPost, knownPost, walkAlong } from "../../parts/walk.js";
import { type Place, poolSearch, postUrl, postVariables } from "../../routes.js";
import { postTitle } from "../../titles.js";
import { NewCommentDocument } from "./__generated__/comments.js";
import { PostChangeDocument, PostDocument, type PostQuery } from "./__generated__/post.js";
import { Actions } from "./actions.js";
import { Comments } from "./comments.js";
import { Facts } from "./facts.js";
import { Family } from "./family.js";
import { NoteChangeDocument } from "./notes/__generated__/notes.js";
import { Picture } from "./picture.js";
import { Report } from "./report.js";
import { type Beside, besideIn, Strip } from "./strip.js";
import "./post.css";

export { PostDocument as document };

const Edit = later(async () => (await import("./edit.js")).Edit);

/** What happens to a post while one looks at it. */
const EVENTS = [PostChangeDocument, NewCommentDocument, NoteChangeDocument];

type Post = NonNullable<PostQuery["post"]>;

/** Goes to the posts beside one. */
function stepsOf({ before, after }: Beside, search: string): Steps {
  const step = (to: { id: number } | undefined) => to && (() => go(postUrl(to.id, search)));
  return { previous: step(before[0]), next: step(after[0]) };
}

/** All that stands below the picture. */
function Below({ post, search }: { post: Post; search: string }) {
  const [isEdited, setEdited] = useState(false);
  return (
    <>
      <Actions post={post} isEdited={isEdited} onEdit={() => setEdited(!isEdited)} />
      {isEdited && <Edit post={post} onDone={() => setEdited(false)} />}
      <Family post={post} search={search} />
      <Comments post={post} />
    </>
  );
}

const Side = ({ post, search }: { post: Post; search: string }) => (
  <>
    <TagList tags={post.tags.map((tag) => ({ tag }))} search={search} />
    <Facts post={post} />
    <Report key={post.id} post={post} />
  </>
);

/** Keys of the post before, which is still seen but no longer meant. */
const PASSED: readonly Shortcut[] = [{ keys: "f + = - e", does: "", run: () => undefined }];

interface Props {
  search: string;
  /** what the list tells that the post was found in */
  known: KnownPost | null;
  /** its own answer, once it has come */
  post: Post | null;
  /** the post before, of which all but the picture and the strip stays until those are drawn */
  last: Post | null;
}

function Shown({ known, post, last, search }: Props) {
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
  const below = useMemo(() => whole && <Below key={whole.id} post={whole} search={search} />, [whole, search]);
  const side = useMemo(() => whole && <Side post={whole} search={search} />, [whole, search]);
  return (
    <article class="Post" aria-busy={post === null}>
      <h1 class="Unseen">{name}</h1>
      <Strip
        beside={beside}
        steps={steps}
        search={search}
        pool={whole?.pools.find(({ id }) => search === poolSearch(id))?.name}
        isReady={post !== null}
      />
      <div class="Post-picture">
        <Picture key={beside.post.id} post={beside.post} answer={post} steps={steps} known={known?.shown ?? null} />
        {below}
      </div>
      <aside class="Post-side" aria-label="About this post">
        {side ?? <TagList tags={(known?.tags ?? []).map((tag) => ({ tag }))} search={search} />}
      </aside>
    </article>
  );
}

/** A post of a list is shown by what this tells of it, and its answer looked for once that is drawn. */
export function Page({ place }: { place: Place }) {
  const search = place.query.get("q") ?? "";
  const id = Number(place.params.id);
  const known = useMemo(() => knownPost(id, search), [id, search]);
  const isDrawn = useDrawn(id);
  const isAsked = isDrawn || known === null;
  const { data, problem, isLoading, again } = useDocument(PostDocument, postVariables(id, search), !isAsked);
  useLive(EVENTS, { postId: id }, again);
  const isAnswered = isAsked && !isLoading;
  const post = isAsked && data?.post?.id === id ? data.post : null;
  const last = useRef<Post | null>(null);
  if (isAsked) last.current = post;
  if (isAnswered && problem) return <RefusalOf problem={problem} onRetry={again} />;
  if (isAnswered && data?.post === null) return <Refusal title="Not found" message={`There is no post ${id}.`} />;
  if (!post && !known) return <p class="Post-wait">Loading …</p>;
  return <Shown post={post} known={known} last={last.current} search={search} />;
}
