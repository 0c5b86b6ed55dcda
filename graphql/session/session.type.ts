import { User } from "../users/user.type.js";
import { int, string, boolean, date, nested, nullable, objectType, inputType } from "../shared/fields.js";
import { Connection } from "../shared/connection.js";

export const Session = objectType("Session", "A browser that is signed in. It is known to its own user only.", {
  id: int("Number of the session."),
  createdAt: date("When the browser signed in."),
  lastUsedAt: date("When it last asked for something, to the hour. The session ends 30 days later."),
  address: string("Address that it then came from."),
  userAgent: string("What the browser then called itself; empty when it said nothing."),
});

export const CreateSessionInput = inputType("CreateSessionInput", "Who signs in.", {
  name: string("Name of the user, in any case."),
  password: string("The password."),
});
export type CreateSessionInput = InstanceType<typeof CreateSessionInput>;

export const CreateSessionPayload = objectType(
  "CreateSessionPayload",
  "A session that has begun; its cookie comes with the answer.",
  {
    user: nullable(nested(() => User, "Who is signed in.")),
    csrfToken: string("Token to send as `X-CSRF-Token` with writes that rely on the cookie."),
  },
);

export const DeleteSessionInput = inputType("DeleteSessionInput", "Which session to end.", {
  id: nullable(int("Number of one of your own sessions; the one that asks by default.")),
});
export type DeleteSessionInput = InstanceType<typeof DeleteSessionInput>;

export const DeleteSessionPayload = objectType("DeleteSessionPayload", "A session that has ended.", {
  ended: boolean("Always true."),
});
export type DeleteSessionPayload = InstanceType<typeof DeleteSessionPayload>;

export const DeleteAllSessionsInput = inputType("DeleteAllSessionsInput", "Which sessions to end.", {
  exceptCurrent: nullable(boolean("Whether the session that asks goes on; false by default.")),
});
export type DeleteAllSessionsInput = InstanceType<typeof DeleteAllSessionsInput>;

export const DeleteAllSessionsPayload = objectType("DeleteAllSessionsPayload", "Sessions that have ended.", {
  endedCount: int("How many there were."),
});
export type DeleteAllSessionsPayload = InstanceType<typeof DeleteAllSessionsPayload>;

export const SessionConnection = Connection(Session);
