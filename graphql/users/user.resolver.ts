import { Arg, Args, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from "type-graphql";
import { Level, levelName } from "../../src/auth/levels.js";
import { isSignedIn } from "../../src/auth/viewer.js";
import { maySeeFlagger } from "../../src/policies/post-flag.policy.js";
import type {
  OwnSettings as OwnSettingsRecord,
  UserActivity as Activity,
  UserRecord,
} from "../../src/services/user.service.js";
import type { GraphQLContext } from "../context.js";
import { Public } from "../shared/access.js";
import { type ConnectionOf, ListArgs, listComplexity, toConnection, toPageRequest } from "../shared/connection.js";
import { CreateUserInput, CreateUserPayload, UserSearch } from "./user.inputs.js";
import { OwnSettings, User, UserActivity, UserConnection } from "./user.type.js";

/** Cost of a user's activity: it is counted in eight tables. */
const ACTIVITY = 10;

@Resolver(() => User)
export class UserResolver {
  @Public()
  @Query(() => UserConnection, { description: "Lists users.", complexity: listComplexity })
  async users(
    @Arg("search", () => UserSearch, { nullable: true, description: "Which users to list." }) search: UserSearch | null,
    @Args(() => ListArgs) list: ListArgs,
    @Ctx() { board }: GraphQLContext,
  ): Promise<ConnectionOf<UserRecord>> {
    return toConnection(await board.users.search(search ?? {}, toPageRequest(list)));
  }

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

  @Public()
  @Query(() => User, { nullable: true, description: "Who you are; null for visitors." })
  viewer(@Ctx() { loaders, viewer }: GraphQLContext): Promise<UserRecord | null> {
    return isSignedIn(viewer) ? loaders.user.load(viewer.id) : Promise.resolve(null);
  }

  @Public()
  @Query(() => User, { description: "Your own account; refused to visitors." })
  profile(@Ctx() { board, viewer }: GraphQLContext): Promise<UserRecord> {
    return board.users.profile(viewer);
  }

  @Public()
  @Mutation(() => CreateUserPayload, { description: "Signs a visitor up as a Member, and in." })
  async createUser(
    @Arg("input", () => CreateUserInput, { description: "The account." }) input: CreateUserInput,
    @Ctx() context: GraphQLContext,
  ): Promise<{ user: UserRecord }> {
    const { passwordHash, ...user } = await context.board.users.signUp(context, input);
    context.session.start(user.name, passwordHash);
    return { user };
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

  @FieldResolver(() => UserActivity, { nullable: true, complexity: ACTIVITY })
  async activity(@Root() user: UserRecord, @Ctx() { loaders, viewer }: GraphQLContext): Promise<Activity | null> {
    const activity = await loaders.userActivity.load(user.id);
    return activity && !maySeeFlagger(viewer, { creatorId: user.id }) ? { ...activity, flagCount: null } : activity;
  }

  @FieldResolver(() => OwnSettings, { nullable: true })
  settings(@Root() user: UserRecord, @Ctx() { board, viewer }: GraphQLContext): Promise<OwnSettingsRecord | null> {
    return board.users.ownSettings(viewer, user.id);
  }
}
