import { Arg, Args, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from "type-graphql";
import { Level } from "../../src/runtime/auth/levels.js";
import { maySeeFile } from "../../src/resources/uploads/upload.policy.js";
import type { PostRecord } from "../../src/resources/posts/post.records.js";
import type { UploadRecord } from "../../src/resources/uploads/upload.service.js";
import type { UserRecord } from "../../src/resources/users/user.service.js";
import type { GraphQLContext } from "../context.js";
import { Post } from "../posts/post.type.js";
import { RequireLevel } from "../shared/access.js";
import { type ConnectionOf, ListArgs, listComplexity, toConnection, toPageRequest } from "../shared/connection.js";
import { User } from "../users/user.type.js";
import { CreateUploadInput, CreateUploadPayload, Upload, UploadConnection, UploadSearch } from "./upload.type.js";

@Resolver(() => Upload)
export class UploadResolver {
  @RequireLevel(Level.Member)
  @Query(() => UploadConnection, { description: "Lists uploads, newest first.", complexity: listComplexity })
  async uploads(
    @Arg("search", () => UploadSearch, { nullable: true, description: "Which uploads to list." })
    search: UploadSearch | null,
    @Args(() => ListArgs) list: ListArgs,
    @Ctx() context: GraphQLContext,
  ): Promise<ConnectionOf<UploadRecord>> {
    return toConnection(await context.board.uploads.search(context, search ?? {}, toPageRequest(list)));
  }

  @RequireLevel(Level.Member)
  @Query(() => Upload, { nullable: true, description: "One upload." })
  upload(
    @Arg("id", () => Int, { description: "Number of the upload." }) id: number,
    @Ctx() { loaders }: GraphQLContext,
  ): Promise<UploadRecord | null> {
    return loaders.upload.load(id);
  }

  @RequireLevel(Level.Member)
  @Mutation(() => CreateUploadPayload, {
    description: "Uploads a file or the file behind a URL, which becomes a post at once.",
  })
  async createUpload(
    @Arg("input", () => CreateUploadInput, { description: "File or URL, and what its post is to be." })
    { file, ...input }: CreateUploadInput,
    @Ctx() context: GraphQLContext,
  ): Promise<{ upload: UploadRecord }> {
    const { spooled = null } = (await file) ?? {};
    return { upload: await context.board.uploads.create(context, { ...input, file: spooled }) };
  }

  @FieldResolver(() => String, { nullable: true })
  md5(@Root() upload: UploadRecord, @Ctx() { viewer }: GraphQLContext): string | null {
    return maySeeFile(viewer, upload) ? upload.md5 : null;
  }

  @FieldResolver(() => String, { nullable: true })
  md5Confirmation(@Root() upload: UploadRecord, @Ctx() { viewer }: GraphQLContext): string | null {
    return maySeeFile(viewer, upload) ? upload.md5Confirmation : null;
  }

  @FieldResolver(() => User, { nullable: true, description: "Who uploaded." })
  uploader(@Root() upload: UploadRecord, @Ctx() { loaders }: GraphQLContext): Promise<UserRecord | null> {
    return loaders.user.load(upload.uploaderId);
  }

  @FieldResolver(() => Post, { nullable: true, description: "The post that it became." })
  post(@Root() upload: UploadRecord, @Ctx() { loaders }: GraphQLContext): Promise<PostRecord | null> | null {
    return upload.postId === null ? null : loaders.post.load(upload.postId);
  }
}
