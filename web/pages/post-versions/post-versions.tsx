/** The edits of a post, or of all posts, newest first, each with what it changed. */
import { change, useDocument } from "../../lib/graphql.js";
import { useTitle } from "../../lib/title.js";
import { RefusalOf } from "../../parts/refusal.js";
import { tell, tellProblem } from "../../parts/toast.js";
import { pageOf, type Place, postUrl, versionsUrl, versionsVariables } from "../../routes.js";
import { versionsTitle } from "../../titles.js";
import { PostVersionsDocument, RevertPostDocument } from "./__generated__/post-versions.js";
import { VersionItem } from "./version.js";
import "./post-versions.css";

export { PostVersionsDocument as document };

function Turn({ query, by, name }: { query: URLSearchParams; by: number; name: string }) {
  return (
    <a class="Button" href={versionsUrl(query, pageOf(query) + by)} rel={by < 0 ? "prev" : "next"}>
      {name}
    </a>
  );
}

export function Page({ place: { query } }: { place: Place }) {
  const variables = versionsVariables(query);
  const [postId] = variables.postId ?? [];
  const { data, problem, again } = useDocument(PostVersionsDocument, variables);
  useTitle(versionsTitle(postId));
  const revert = async (id: number, versionId: number) => {
    try {
      await change(RevertPostDocument, { id, versionId });
      tell("Reverted.");
      again();
    } catch (error) {
      tellProblem(error);
    }
  };
  if (problem) return <RefusalOf problem={problem} onRetry={again} />;
  if (!data) return <p>Loading …</p>;
  const { nodes, pageInfo } = data.postVersions;
  const page = pageOf(query);
  return (
    <div class="PostVersions">
      <h1>{postId === undefined ? "Edits of posts" : `History of post ${postId}`}</h1>
      {postId !== undefined && (
        <p>
          <a href={postUrl(postId)}>Back to the post</a>
        </p>
      )}
      {nodes.length === 0 && <p>There are no edits here.</p>}
      <ol class="PostVersions-list">
        {nodes.map((version, index) => (
          <VersionItem
            key={version.id}
            version={version}
            hasPosts={postId === undefined}
            isNewest={postId !== undefined && page === 1 && index === 0}
            onRevert={(...of) => void revert(...of)}
          />
        ))}
      </ol>
      <p class="PostVersions-pages">
        {page > 1 && <Turn query={query} by={-1} name="Newer" />}
        {pageInfo.hasNextPage && <Turn query={query} by={1} name="Older" />}
      </p>
    </div>
  );
}
