/** A post: its picture first, what it is beside it, and what people say below. */
import { useEffect, useMemo, useState } from "preact/hooks";
import { useDrawn } from "../../lib/drawn.js";
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

interface Props {
  search: string;
  /** what the list tells that the post was found in */
  known: KnownPost | null;
  /** its own answer, once it has come */
  post: Post | null;
  /** whether there is time for more than the picture and the strip */
  isDrawn: boolean;
}

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

/** The picture and the strip are the same elements before and after the answer. */
function Shown({ known, post, search, isDrawn }: Props) {
  const beside = post ? besideIn(post) : (known as Beside);
  const steps = stepsOf(beside, search);
  const tags = post?.tags ?? known?.tags ?? [];
  const name = post ? postTitle(post) : `Post ${beside.post.id}`;
  useTitle(name);
  useEffect(() => {
    if (!post) return;
    const posts = [...beside.before.toReversed(), beside.post, ...beside.after];
    walkAlong({ search, posts, tags: post.tags });
  }, [post]);
  return (
    <article class="Post" aria-busy={post === null}>
      <h1 class="Unseen">{name}</h1>
      <Strip
        beside={beside}
        steps={steps}
        search={search}
        pool={post?.pools.find(({ id }) => search === poolSearch(id))?.name}
        isReady={post !== null}
      />
      <div class="Post-picture">
        <Picture post={beside.post} answer={post} steps={steps} known={known?.shown ?? null} />
        {post && <Below post={post} search={search} />}
      </div>
      <aside class="Post-side" aria-label="About this post">
        {isDrawn && <TagList tags={tags.map((tag) => ({ tag }))} search={search} />}
        {post && <Facts post={post} />}
        {post && <Report post={post} />}
      </aside>
    </article>
  );
}

/** A post of a list is shown by what this tells of it, and its answer looked for once that is drawn. */
export function Page({ place }: { place: Place }) {
  const search = place.query.get("q") ?? "";
  const id = Number(place.params.id);
  const known = useMemo(() => knownPost(id, search), []);
  const isDrawn = useDrawn();
  const isAsked = isDrawn || known === null;
  const { data, problem, again } = useDocument(PostDocument, postVariables(id, search), !isAsked);
  useLive(EVENTS, { postId: id }, again);
  if (problem) return <RefusalOf problem={problem} onRetry={again} />;
  if (data?.post === null) return <Refusal title="Not found" message={`There is no post ${id}.`} />;
  if (!data && !known) return <p class="Post-wait">Loading …</p>;
  return <Shown post={data?.post ?? null} known={known} search={search} isDrawn={isAsked} />;
}
