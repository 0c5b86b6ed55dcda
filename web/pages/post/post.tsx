/** A post: its picture first, what it is beside it, and what people say below. */
import { useDocument } from "../../lib/graphql.js";
import { useTitle } from "../../lib/title.js";
import { Refusal, RefusalOf } from "../../parts/refusal.js";
import { TagList } from "../../parts/tag-list.js";
import { type Place, postVariables } from "../../routes.js";
import { postTitle } from "../../titles.js";
import { useState } from "preact/hooks";
import { PostDocument, type PostQuery } from "./__generated__/post.js";
import { Actions } from "./actions.js";
import { Comments } from "./comments.js";
import { Edit } from "./edit.js";
import { Facts } from "./facts.js";
import { Family } from "./family.js";
import { Picture } from "./picture.js";
import { Strip } from "./strip.js";
import "./post.css";

export { PostDocument as document };

type Post = NonNullable<PostQuery["post"]>;

function Shown({ post, search }: { post: Post; search: string }) {
  const [isEdited, setEdited] = useState(false);
  useTitle(postTitle(post));
  return (
    <article class="Post">
      <h1 class="Unseen">{postTitle(post)}</h1>
      <Strip post={post} search={search} />
      <div class="Post-picture">
        <Picture post={post} notes={post} />
        <Actions post={post} isEdited={isEdited} onEdit={() => setEdited(!isEdited)} />
        {isEdited && <Edit post={post} onDone={() => setEdited(false)} />}
        <Family post={post} search={search} />
        <Comments post={post} />
      </div>
      <aside class="Post-side" aria-label="About this post">
        <TagList tags={post.tags.map((tag) => ({ tag }))} search={search} />
        <Facts post={post} />
      </aside>
    </article>
  );
}

export function Page({ place }: { place: Place }) {
  const search = place.query.get("q") ?? "";
  const id = Number(place.params.id);
  const { data, problem, again } = useDocument(PostDocument, postVariables(id, search));
  if (problem) return <RefusalOf problem={problem} onRetry={again} />;
  if (!data) return <p class="Post-wait">Loading …</p>;
  if (!data.post) return <Refusal title="Not found" message={`There is no post ${id}.`} />;
  return <Shown post={data.post} search={search} />;
}
