import type { SessionRecord } from "../../src/resources/session/session.service.js";
import type { GraphQLContext } from "../context.js";
import { beginSession } from "./begin-session.js";
import {
  CreateSessionInput,
  CreateSessionPayload,
  DeleteAllSessionsInput,
  DeleteAllSessionsPayload,
  DeleteSessionInput,
  DeleteSessionPayload,
  Session,
} from "./session.type.js";
import { resolver, computed, list, mutation } from "../shared/operations.js";
import { boolean } from "../shared/fields.js";

export const SessionResolver = resolver(Session, {
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
    input: [CreateSessionInput, "The name and the password."],
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
    input: [DeleteSessionInput, "The record's ID."],
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
    input: [DeleteAllSessionsInput, "Whether to keep the current session."],
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
  await board.authenticator.signOut(viewer);
  session.end();
}
