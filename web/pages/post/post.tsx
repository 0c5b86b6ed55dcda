/** A post: its picture first, what it is beside it, and what people say below. */
import { useDocument } from "../../lib/graphql.js";
import { useLive } from "../../lib/live.js";
import { useTitle } from "../../lib/title.js";
import { later } from "../../parts/later.js";
import { Refusal, RefusalOf } from "../../parts/refusal.js";
import { TagList } from "../../parts/tag-list.js";
import { type Place, postVariables } from "../../routes.js";
import { postTitle } from "../../titles.js";
import { useState } from "preact/hooks";
import { NewCommentDocument } from "./__generated__/comments.js";
import { PostChangeDocument, PostDocument, type PostQuery } from "./__generated__/post.js";
import { Actions } from "./actions.js";
import { Comments } from "./comments.js";
import { Facts } from "./facts.js";
import { Family } from "./family.js";
import { NoteChangeDocument } from "./notes/__generated__/notes.js";
import { Picture } from "./picture.js";
import { Report } from "./report.js";
import { neighborsIn, Strip } from "./strip.js";
import "./post.css";

export { PostDocument as document };

const Edit = later(async () => (await import("./edit.js")).Edit);

/** What happens to a post while one looks at it. */
const EVENTS = [PostChangeDocument, NewCommentDocument, NoteChangeDocument];

type Post = NonNullable<PostQuery["post"]>;

function Shown({ post, search }: { post: Post; search: string }) {
  const [isEdited, setEdited] = useState(false);
  const neighbors = neighborsIn(post, search);
  useTitle(postTitle(post));
  return (
    <article class="Post">
      <h1 class="Unseen">{postTitle(post)}</h1>
      <Strip post={post} search={search} neighbors={neighbors} />
      <div class="Post-picture">
        <Picture post={post} notes={post} beside={neighbors} />
        <Actions post={post} isEdited={isEdited} onEdit={() => setEdited(!isEdited)} />
        {isEdited && <Edit post={post} onDone={() => setEdited(false)} />}
        <Family post={post} search={search} />
        <Comments post={post} />
      </div>
      <aside class="Post-side" aria-label="About this post">
        <TagList tags={post.tags.map((tag) => ({ tag }))} search={search} />
        <Facts post={post} />
        <Report post={post} />
      </aside>
    </article>
  );
}

export function Page({ place }: { place: Place }) {
  const search = place.query.get("q") ?? "";
  const id = Number(place.params.id);
  const { data, problem, again } = useDocument(PostDocument, postVariables(id, search));
  useLive(EVENTS, { postId: id }, again);
  if (problem) return <RefusalOf problem={problem} onRetry={again} />;
  if (!data) return <p class="Post-wait">Loading …</p>;
  if (!data.post) return <Refusal title="Not found" message={`There is no post ${id}.`} />;
  return <Shown post={data.post} search={search} />;
}
