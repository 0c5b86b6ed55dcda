import { mutationOf, resource } from "../adapter/row.js";
import { described } from "../adapter/views.js";
import { userFields } from "../users/users.js";

const create = mutationOf("SessionCreate", "createSession", `user { ${userFields} } csrf_token`);

const nothing = () => ({});

export const session = resource("session", {}, [
  { method: "POST", path: "/session", document: create },
  {
    method: "DELETE",
    path: "/session",
    document: "mutation SessionDelete { deleteSession { ended } }",
    view: described(nothing, nothing),
  },
]);
