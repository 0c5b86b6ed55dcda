import { User } from "../users/user.type.js";
import { int, string, boolean, date, nested, nullable, objectType, inputType } from "../shared/fields.js";

export const Session = objectType("Session", "A signed-in browser, visible only to its user.", {
  id: int("ID of the session."),
  createdAt: date("When the session began."),
  lastUsedAt: date("Time of its last request, to the hour. The session expires 30 days later."),
  address: string("IP address of its last request."),
  userAgent: string("User agent of its last request; empty if there was none."),
});

export const CreateSessionInput = inputType("CreateSessionInput", "Credentials to sign in with.", {
  name: string("Name of the user, ignoring case."),
  password: string("The password."),
});

export const CreateSessionPayload = objectType(
  "CreateSessionPayload",
  "The new session, whose cookie is set by the response.",
  {
    user: nullable(nested(() => User, "The signed-in user.")),
    csrfToken: string("Token to send as `X-CSRF-Token` with writes authenticated by the cookie."),
  },
);

export const DeleteSessionInput = inputType("DeleteSessionInput", "The session to end.", {
  id: nullable(int("ID of one of your own sessions; the current one by default.")),
});

export const DeleteSessionPayload = objectType("DeleteSessionPayload", "The result of `deleteSession`.", {
  ended: boolean("Always true."),
});

export const DeleteAllSessionsInput = inputType("DeleteAllSessionsInput", "Input of `deleteAllSessions`.", {
  exceptCurrent: nullable(boolean("Whether to keep the current session; false by default.")),
});

export const DeleteAllSessionsPayload = objectType("DeleteAllSessionsPayload", "The result of `deleteAllSessions`.", {
  endedCount: int("Number of sessions that were ended."),
});
