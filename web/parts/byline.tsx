/** The name of a user, as the author of something. */
import { type Ref, unmask } from "../lib/mask.js";
import { searchUrl, userSearch } from "../routes.js";
import type { Byline_UserFragment } from "./__generated__/byline.js";

export function Byline({ user: reference }: { user: Ref<Byline_UserFragment> }) {
  const user = unmask<Byline_UserFragment>(reference);
  return (
    <a
      class="Byline"
      href={searchUrl(userSearch(user.name))}
      title={user.isBanned ? `${user.levelString}, banned` : user.levelString}
      dir="auto"
    >
      {user.name}
    </a>
  );
}
