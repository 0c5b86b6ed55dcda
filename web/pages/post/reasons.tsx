/** Why a post was flagged or deleted, newest first. */
import { useDocument } from "../../lib/graphql.js";
import { ReasonsDocument } from "./__generated__/reasons.js";

/** To be mounted anew with each state of the post, whose reasons are others: earlier ones are asked for again. */
export function Reasons({ postId }: { postId: number }) {
  const { data } = useDocument(ReasonsDocument, { id: postId }, false, Date.now());
  const standing = data?.post?.flags.filter(({ isResolved }) => !isResolved) ?? [];
  return standing.map(({ id, reason }) => (
    <p key={id} dir="auto">
      {reason}
    </p>
  ));
}
