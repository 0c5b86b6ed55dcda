import { Arg, Args, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from "type-graphql";
import { Level } from "../../src/runtime/auth/levels.js";
import { mayUpdate } from "../../src/resources/artist-commentaries/artist-commentary.policy.js";
import type { ArtistCommentaryRecord } from "../../src/resources/artist-commentaries/artist-commentary.service.js";
import type { PostRecord } from "../../src/resources/posts/post.records.js";
import type { GraphQLContext } from "../context.js";
import { Post } from "../posts/post.type.js";
import { Public, RequireLevel } from "../shared/access.js";
import { type ConnectionOf, ListArgs, listComplexity, toConnection, toPageRequest } from "../shared/connection.js";
import { Limited } from "../shared/limited.js";
import {
  ArtistCommentary,
  ArtistCommentaryAbilities,
  ArtistCommentaryConnection,
  ArtistCommentarySearch,
  CreateOrUpdateArtistCommentaryInput,
  CreateOrUpdateArtistCommentaryPayload,
  RevertArtistCommentaryInput,
  RevertArtistCommentaryPayload,
} from "./artist-commentary.type.js";

type Payload = Promise<{ artistCommentary: ArtistCommentaryRecord }>;

@Resolver(() => ArtistCommentary)
export class ArtistCommentaryResolver {
  @Public()
  @Query(() => ArtistCommentaryConnection, {
    description: "Lists artists' commentaries, newest first.",
    complexity: listComplexity,
  })
  async artistCommentaries(
    @Arg("search", () => ArtistCommentarySearch, { nullable: true, description: "Which commentaries to list." })
    search: ArtistCommentarySearch | null,
    @Args(() => ListArgs) list: ListArgs,
    @Ctx() { board }: GraphQLContext,
  ): Promise<ConnectionOf<ArtistCommentaryRecord>> {
    return toConnection(await board.artistCommentaries.search(search ?? {}, toPageRequest(list)));
  }

  @Public()
  @Query(() => ArtistCommentary, {
    nullable: true,
    description: "One commentary, by its number or by that of the post.",
  })
  artistCommentary(
    @Arg("id", () => Int, { nullable: true, description: "Number of the commentary." }) id: number | null,
    @Arg("postId", () => Int, { nullable: true, description: "Number of the post." }) postId: number | null,
    @Ctx() { loaders }: GraphQLContext,
  ): Promise<ArtistCommentaryRecord | null> | null {
    if (typeof id === "number") return loaders.artistCommentary.load(id);
    return typeof postId === "number" ? loaders.postCommentary.load(postId) : null;
  }

  @RequireLevel(Level.Member)
  @Limited("recordEdit")
  @Mutation(() => CreateOrUpdateArtistCommentaryPayload, {
    description: "Writes the commentary of a post, whether it has one already or not.",
  })
  async createOrUpdateArtistCommentary(
    @Arg("input", () => CreateOrUpdateArtistCommentaryInput, { description: "Post and texts." })
    { postId, ...edit }: CreateOrUpdateArtistCommentaryInput,
    @Ctx() context: GraphQLContext,
  ): Payload {
    return { artistCommentary: await context.board.artistCommentaries.createOrUpdate(context, postId, edit) };
  }

  @RequireLevel(Level.Member)
  @Limited("recordEdit")
  @Mutation(() => RevertArtistCommentaryPayload, {
    description: "Puts the commentary of a post back to an earlier version.",
  })
  async revertArtistCommentary(
    @Arg("input", () => RevertArtistCommentaryInput, { description: "Post and version." })
    { postId, versionId }: RevertArtistCommentaryInput,
    @Ctx() context: GraphQLContext,
  ): Payload {
    return { artistCommentary: await context.board.artistCommentaries.revert(context, postId, versionId) };
  }

  @FieldResolver(() => Post, { nullable: true, description: "The post." })
  post(@Root() commentary: ArtistCommentaryRecord, @Ctx() { loaders }: GraphQLContext): Promise<PostRecord | null> {
    return loaders.post.load(commentary.postId);
  }

  @FieldResolver(() => ArtistCommentaryAbilities, { description: "What the viewer may do with it." })
  viewerCan(@Root() commentary: ArtistCommentaryRecord, @Ctx() { viewer }: GraphQLContext): ArtistCommentaryAbilities {
    return { update: mayUpdate(viewer, commentary) };
  }
}

@Resolver(() => Post)
export class PostArtistCommentary {
  @FieldResolver(() => ArtistCommentary, {
    nullable: true,
    description: "What the artist wrote about it; null where nobody has copied it here.",
  })
  artistCommentary(
    @Root() post: PostRecord,
    @Ctx() { loaders }: GraphQLContext,
  ): Promise<ArtistCommentaryRecord | null> {
    return loaders.postCommentary.load(post.id);
  }
}
