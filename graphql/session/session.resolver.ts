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
    boolean("Whether it is the session that asks."),
    (session: SessionRecord, { viewer }) => session.id === viewer.sessionId,
  ),
});

@Resolver(() => Session)
export class SessionResolver {
  @Gated()
  @Query(() => SessionConnection, {
    description: "Lists the browsers that you are signed in with, newest first; refused to visitors.",
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
    description: "Signs in with name and password, and sets the session's cookie. What follows is done as that user.",
  })
  async createSession(
    @Arg("input", () => CreateSessionInput, { description: "Name and password." }) input: CreateSessionInput,
    @Ctx() context: GraphQLContext,
  ): Promise<{ user: UserRecord | null; csrfToken: string }> {
    context.session.refuseForeignPage();
    const account = await context.board.authenticator.signIn(input.name, input.password, context);
    const csrfToken = await beginSession(context, account);
    return { user: await context.loaders.user.load(account.id), csrfToken };
  }

  @Gated({ beforeLogin: true })
  @Mutation(() => DeleteSessionPayload, {
    description: "Signs out: ends the session that asks and clears its cookie. With a number, ends that session.",
  })
  async deleteSession(
    @Arg("input", () => DeleteSessionInput, { nullable: true, description: "Which one." })
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
    description: "Ends all your sessions, or all others; refused to visitors. API keys go on working.",
  })
  async deleteAllSessions(
    @Arg("input", () => DeleteAllSessionsInput, { nullable: true, description: "All, or all others." })
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
