import type { SessionRecord } from "../../src/resources/session/session.service.js";
import type { GraphQLContext } from "../context.js";
import { beginSession } from "./begin-session.js";
import { resolversOf, list, mutation } from "../shared/operations.js";
import { computed } from "../shared/record-fields.js";
import { boolean, date, int, nested, nullable, objectType, string } from "../shared/fields.js";
import { User } from "../users/user.type.js";

const Session = objectType("Session", "A signed-in browser, visible only to its user.", {
  id: int("ID of the session."),
  createdAt: date("When the session began."),
  lastUsedAt: date("Time of its last request, to the hour. The session expires 30 days later."),
  address: string("IP address of its last request."),
  userAgent: string("User agent of its last request; empty if there was none."),
});

const CreateSessionPayload = objectType(
  "CreateSessionPayload",
  "The new session, whose cookie is set by the response.",
  {
    user: nullable(nested(() => User, "The signed-in user.")),
    csrfToken: string("Token to send as `X-CSRF-Token` with writes authenticated by the cookie."),
  },
);

const DeleteSessionPayload = objectType("DeleteSessionPayload", "The result of `deleteSession`.", {
  ended: boolean("Always true."),
});

const DeleteAllSessionsPayload = objectType("DeleteAllSessionsPayload", "The result of `deleteAllSessions`.", {
  endedCount: int("Number of sessions that were ended."),
});

resolversOf(Session, {
  sessions: list({
    of: Session,
    description: "Lists the viewer's sessions, newest first. Requires sign-in.",
    find: ({ board, viewer }, _, page) => board.sessions.list(viewer, page),
  }),

  isCurrent: computed(
    boolean("Whether it is the current session."),
    (session: SessionRecord, { viewer }) => session.id === viewer.sessionId,
  ),

  createSession: mutation({
    description:
      "Signs in with name and password and sets the session cookie. The following mutations of the request run as that user.",
    beforeLogin: true,
    input: [
      {
        name: string("Name of the user, ignoring case."),
        password: string("The password."),
      },
      "Credentials to sign in with.",
      "The name and the password.",
    ],
    payload: CreateSessionPayload,
    resolve: async (context, input) => {
      context.session.refuseForeignPage();
      const account = await context.board.authenticator.signIn(input.name, input.password, context);
      const csrfToken = await beginSession(context, account);
      return { user: await context.loaders.user.load(account.id), csrfToken };
    },
  }),

  deleteSession: mutation({
    description: "Ends the current session and clears its cookie, or ends the session with the given ID.",
    beforeLogin: true,
    input: [
      {
        id: nullable(int("ID of one of your own sessions; the current one by default.")),
      },
      "The session to end.",
      "The record's ID.",
    ],
    isInputOptional: true,
    payload: DeleteSessionPayload,
    resolve: async (context, input) => {
      const { board, viewer } = context;
      const id = input.id ?? viewer.sessionId;
      if (id === viewer.sessionId) await signOut(context);
      else await board.sessions.endOwn(viewer, id as number);
      return { ended: true };
    },
  }),

  deleteAllSessions: mutation({
    description: "Ends all the viewer's sessions, or all but the current one. Requires sign-in. API keys stay valid.",
    input: [
      {
        exceptCurrent: nullable(boolean("Whether to keep the current session; false by default.")),
      },
      "Input of `deleteAllSessions`.",
      "Whether to keep the current session.",
    ],
    isInputOptional: true,
    payload: DeleteAllSessionsPayload,
    resolve: async (context, { exceptCurrent }) => {
      const isKept = exceptCurrent === true;
      const endedCount = await context.board.sessions.endAllOwn(context.viewer, isKept);
      if (!isKept && context.session.isUsed) await signOut(context);
      return { endedCount };
    },
  }),
});

async function signOut({ board, session, viewer }: GraphQLContext): Promise<void> {
  session.refuseForeignPage(); // which browsers send without the cookies, and accept their removal in the response
  await board.authenticator.signOut(viewer);
  session.end();
}
