/** The users who keep a post. */
import { Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import type { PostRecord } from "../../src/resources/posts/post.records.js";
import type { UserRecord } from "../../src/resources/users/user.service.js";
import type { GraphQLContext } from "../context.js";
import { Post } from "../posts/post.type.js";
import { costOf, First, RECORDS, wanted } from "../shared/bounded.js";
import { User } from "../users/user.type.js";

@Resolver(() => Post)
export class PostFavorites {
  @FieldResolver(() => [User], {
    description: "Users who added it to their favorites, most recent first, without those whose favorites are private.",
    complexity: costOf(RECORDS),
  })
  async favoritedBy(
    @Root() post: PostRecord,
    @First(RECORDS) first: number | null,
    @Ctx() { loaders }: GraphQLContext,
  ): Promise<UserRecord[]> {
    const favorites = await loaders.postFavorites.load(wanted(RECORDS, post, first));
    const users = await Promise.all(favorites.map(({ userId }) => loaders.user.load(userId)));
    return users.filter((user) => user !== null);
  }
}
