import { Arg, Args, Ctx, Mutation, Query, Resolver } from "type-graphql";
import type { SessionRecord } from "../../src/resources/session/session.service.js";
import type { UserRecord } from "../../src/resources/users/user.service.js";
import type { GraphQLContext } from "../context.js";
import { Gated } from "../shared/access.js";
import { type ConnectionOf, ListArgs, listComplexity, toConnection, toPageRequest } from "../shared/connection.js";
import { beginSession } from "./begin-session.js";
import {
  CreateSessionInput,
  CreateSessionPayload,
  DeleteAllSessionsInput,
  DeleteAllSessionsPayload,
  DeleteSessionInput,
  DeleteSessionPayload,
  Session,
  SessionConnection,
} from "./session.type.js";
import { resolver, computed } from "../shared/operations.js";
import { boolean } from "../shared/fields.js";

export const SessionResolverOperations = resolver(Session, {
  isCurrent: computed(
    boolean("Whether it is the current session."),
    (session: SessionRecord, { viewer }) => session.id === viewer.sessionId,
  ),
});

@Resolver(() => Session)
export class SessionResolver {
  @Gated()
  @Query(() => SessionConnection, {
    description: "Lists the viewer's sessions, newest first. Requires sign-in.",
    complexity: listComplexity,
  })
  async sessions(
    @Args(() => ListArgs) list: ListArgs,
    @Ctx() { board, viewer }: GraphQLContext,
  ): Promise<ConnectionOf<SessionRecord>> {
    return toConnection(await board.sessions.list(viewer, toPageRequest(list)));
  }

  @Gated({ beforeLogin: true })
  @Mutation(() => CreateSessionPayload, {
    description:
      "Signs in with name and password and sets the session cookie. The following mutations of the request run as that user.",
  })
  async createSession(
    @Arg("input", () => CreateSessionInput, { description: "The name and the password." }) input: CreateSessionInput,
    @Ctx() context: GraphQLContext,
  ): Promise<{ user: UserRecord | null; csrfToken: string }> {
    context.session.refuseForeignPage();
    const account = await context.board.authenticator.signIn(input.name, input.password, context);
    const csrfToken = await beginSession(context, account);
    return { user: await context.loaders.user.load(account.id), csrfToken };
  }

  @Gated({ beforeLogin: true })
  @Mutation(() => DeleteSessionPayload, {
    description: "Ends the current session and clears its cookie, or ends the session with the given ID.",
  })
  async deleteSession(
    @Arg("input", () => DeleteSessionInput, { nullable: true, description: "The record's ID." })
    input: DeleteSessionInput | null,
    @Ctx() context: GraphQLContext,
  ): Promise<DeleteSessionPayload> {
    const { board, viewer } = context;
    const id = input?.id ?? viewer.sessionId;
    if (id === viewer.sessionId) await signOut(context);
    else await board.sessions.endOwn(viewer, id as number);
    return { ended: true };
  }

  @Gated()
  @Mutation(() => DeleteAllSessionsPayload, {
    description: "Ends all the viewer's sessions, or all but the current one. Requires sign-in. API keys stay valid.",
  })
  async deleteAllSessions(
    @Arg("input", () => DeleteAllSessionsInput, { nullable: true, description: "Whether to keep the current session." })
    input: DeleteAllSessionsInput | null,
    @Ctx() context: GraphQLContext,
  ): Promise<DeleteAllSessionsPayload> {
    const isKept = input?.exceptCurrent === true;
    const endedCount = await context.board.sessions.endAllOwn(context.viewer, isKept);
    if (!isKept && context.session.isUsed) await signOut(context);
    return { endedCount };
  }
}

async function signOut({ board, session, viewer }: GraphQLContext): Promise<void> {
  await board.authenticator.signOut(viewer);
  session.end();
}
