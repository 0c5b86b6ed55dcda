/** Why a post was flagged or deleted, newest first. */
import { useDocument } from "../../lib/graphql.js";
import { ReasonsDocument } from "./__generated__/reasons.js";

export function Reasons({ postId }: { postId: number }) {
  const { data } = useDocument(ReasonsDocument, { id: postId });
  const standing = data?.post?.flags.filter(({ isResolved }) => !isResolved) ?? [];
  return standing.map(({ id, reason }) => (
    <p key={id} dir="auto">
      {reason}
    </p>
  ));
}
