/** Accounts can be changed only by their own users, banned or not, whatever the level of others. */
import { isSignedIn } from "../../runtime/auth/viewer.js";
import { described, from, withNote, open, type Permission, right, type Rights } from "../shared/policy.js";

const OWN = "Your own account, even while banned.";
const own: Permission = { minimum: "public", own: "account", others: "nobody", note: OWN };

export const mayChange = right<{ id: number }>({ ...own, owner: ({ id }) => id });

const withPassword = withNote(mayChange, `${OWN} Requires the password.`);

export const accountRights: Rights = {
  reads: {
    profile: described({ minimum: "public", own: "account", others: "account", note: "Your own account." }, isSignedIn),
    viewer: from("public", "Null for anonymous visitors."),
  },
  writes: {
    changePassword: withPassword,
    closeAccount: withNote(withPassword, `${withPassword.permission.note} Not the account of the last Admin (422).`),
    createUser: open,
    recoverAccount: from("public", "With a token made by an administrator."),
    rotateApiKey: withPassword,
    updateSettings: mayChange,
  },
  fields: {
    "User.settings": withNote(mayChange, "Including the API key and the email address."),
  },
};
