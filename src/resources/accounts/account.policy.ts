/** Accounts are their users' own, banned or not; nobody else changes them over the interface, whatever the level. */
import { isSignedIn } from "../../runtime/auth/viewer.js";
import { described, from, noted, open, type Permission, right, type Rights } from "../shared/policy.js";

const OWN = "One's own account, also while banned.";
const own: Permission = { gate: "public", own: "account", others: "nobody", note: OWN };

export const mayChange = right<{ id: number }>({ ...own, owner: ({ id }) => id });

const withPassword = noted(mayChange, `${OWN} It takes the password.`);

export const accountRights: Rights = {
  reads: {
    profile: described({ gate: "public", own: "account", others: "account", note: "One's own account." }, isSignedIn),
    viewer: from("public", "Null for visitors."),
  },
  writes: {
    changePassword: withPassword,
    closeAccount: noted(withPassword, `${withPassword.permission.note} Not that of the last Admin (422).`),
    createUser: open,
    recoverAccount: from("public", "By a token that an administrator made."),
    rotateApiKey: withPassword,
    updateSettings: mayChange,
  },
  fields: {
    "User.settings": noted(mayChange, "With the API key and the address for mail."),
  },
};
