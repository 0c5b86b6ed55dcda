import { mutationOf, resource } from "../adapter/row.js";

const fields = "id owner_id from_id from_name to_id to_name title body is_read is_deleted created_at updated_at";

/** Showing marks as read. */
const show = mutationOf("DmailsShow", "readDmail", `dmail { ${fields} }`);

const [head] = resource("dmail", { fields }, [{ method: "GET", path: "/dmails/:id", field: "dmail" }]);

export const dmails = resource("dmail", { fields }, [
  { method: "GET", path: "/dmails", field: "dmails" },
  { method: "GET", path: "/dmails/:id", document: show, head },
  { method: "POST", path: "/dmails", field: "createDmail" },
  { method: "PUT", path: "/dmails/:id", field: "updateDmail" },
  { method: "DELETE", path: "/dmails/:id", field: "deleteDmail" },
  {
    method: "POST",
    path: "/dmails/mark_all_as_read",
    document: "mutation DmailsMarkAllAsRead { markAllDmailsAsRead { count } }",
  },
]);
