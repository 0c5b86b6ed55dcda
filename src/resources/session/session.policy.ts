/** Rights on sessions: users have them only on their own. */
import { isSignedIn } from "../../runtime/auth/viewer.js";
import { described, from, open, type Rights } from "../shared/policy.js";

const own = described({ minimum: "public", own: "account", others: "account", note: "Your own." }, isSignedIn);

export const sessionRights: Rights = {
  reads: { sessions: own },
  writes: {
    createSession: open,
    deleteAllSessions: own,
    deleteSession: from("public", "The session of the request, or another one of your own."),
  },
};
