import { Arg, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from "type-graphql";
import { Level, levelName } from "../../src/runtime/auth/levels.js";
import { isSignedIn } from "../../src/runtime/auth/viewer.js";
import { maySeeFlagger } from "../../src/resources/post-flags/post-flag.policy.js";
import type { UserActivity as Activity, UserRecord } from "../../src/resources/users/user.service.js";
import type { OwnSettings as OwnSettingsRecord } from "../../src/resources/users/user.settings.js";
import type { GraphQLContext } from "../context.js";
import { Public } from "../shared/access.js";
import { beginSession } from "../session/begin-session.js";
import { CreateUserInput, CreateUserPayload, UserSearch } from "./user.inputs.js";
import { OwnSettings, User, UserActivity } from "./user.type.js";
import { resolver, list } from "../shared/operations.js";
import { anybody } from "../../src/resources/shared/policy.js";

/** Cost of a user's activity: it is counted in eight tables. */
const ACTIVITY = 10;

export const UserOperations = resolver(User, {
users: list({ of: User, description: "Lists users.", allow: anybody, search: [UserSearch, "Which users to list."], find: ({ board }, search, page) => board.users.search(search, page) }),
});

@Resolver(() => User)
export class UserResolver {

  @Public()
  @Query(() => User, { nullable: true, description: "One user, by number or by name." })
  user(
    @Arg("id", () => Int, { nullable: true, description: "Number of the user." }) id: number | null,
    @Arg("name", () => String, { nullable: true, description: "Name of the user, in any case." }) name: string | null,
    @Ctx() { board, loaders }: GraphQLContext,
  ): Promise<UserRecord | null> {
    if (typeof id === "number") return loaders.user.load(id);
    return name ? board.users.byName(name) : Promise.resolve(null);
  }

  @Public({ beforeLogin: true })
  @Query(() => User, { nullable: true, description: "Who you are; null for visitors." })
  viewer(@Ctx() { loaders, viewer }: GraphQLContext): Promise<UserRecord | null> {
    return isSignedIn(viewer) ? loaders.user.load(viewer.id) : Promise.resolve(null);
  }

  @Public()
  @Query(() => User, { description: "Your own account; refused to visitors." })
  profile(@Ctx() { board, viewer }: GraphQLContext): Promise<UserRecord> {
    return board.users.profile(viewer);
  }

  @Public({ beforeLogin: true })
  @Mutation(() => CreateUserPayload, {
    description: "Signs a visitor up as a Member, and in. What follows is done as that user.",
  })
  async createUser(
    @Arg("input", () => CreateUserInput, { description: "The account." }) input: CreateUserInput,
    @Ctx() context: GraphQLContext,
  ): Promise<{ user: UserRecord; csrfToken: string }> {
    context.session.refuseForeignPage();
    const user = await context.board.users.signUp(context, input);
    return { user, csrfToken: await beginSession(context, user) };
  }

  @FieldResolver(() => String)
  levelString(@Root() user: UserRecord): string {
    return levelName(user.level);
  }

  @FieldResolver(() => Boolean)
  canUploadFree(@Root() user: UserRecord): boolean {
    return user.level >= Level.Contributor;
  }

  @FieldResolver(() => Boolean)
  canApprovePosts(@Root() user: UserRecord): boolean {
    return user.level >= Level.Janitor;
  }

  @FieldResolver(() => UserActivity, { nullable: true, complexity: ACTIVITY, description: "How much the user has done." })
  async activity(@Root() user: UserRecord, @Ctx() { loaders, viewer }: GraphQLContext): Promise<Activity | null> {
    const activity = await loaders.userActivity.load(user.id);
    return activity && !maySeeFlagger(viewer, { creatorId: user.id }) ? { ...activity, flagCount: null } : activity;
  }

  @FieldResolver(() => OwnSettings, { nullable: true, description: "The account's settings and API key; null for everybody but the user." })
  settings(@Root() user: UserRecord, @Ctx() context: GraphQLContext): Promise<OwnSettingsRecord | null> {
    const { board, viewer } = context;
    if (viewer.id === user.id) context.doNotStore(); // the key is among them
    return board.userSettings.of(viewer, user.id);
  }

  @FieldResolver(() => String, { nullable: true })
  csrfToken(@Root() user: UserRecord, @Ctx() context: GraphQLContext): string | null {
    if (context.viewer.id !== user.id) return null;
    context.doNotStore();
    return context.session.csrfToken();
  }
}
