import { Arg, Ctx, FieldResolver, Mutation, Resolver, Root } from "type-graphql";
import { Level } from "../../src/runtime/auth/levels.js";
import { maySeeFile } from "../../src/resources/uploads/upload.policy.js";
import type { UploadRecord } from "../../src/resources/uploads/upload.service.js";
import type { GraphQLContext } from "../context.js";
import { Post } from "../posts/post.type.js";
import { RequireLevel } from "../shared/access.js";
import { User } from "../users/user.type.js";
import { CreateUploadInput, CreateUploadPayload, Upload, UploadSearch } from "./upload.type.js";
import { resolver, list, one, relation } from "../shared/operations.js";
import { member } from "../../src/resources/shared/policy.js";

export const UploadOperations = resolver(Upload, {
uploads: list({ of: Upload, description: "Lists uploads, newest first.", allow: member, search: [UploadSearch, "Which uploads to list."], find: (context, search, page) => context.board.uploads.search(context, search, page) }),

upload: one({ of: Upload, description: "One upload.", id: "Number of the upload.", allow: member }),

uploader: relation(() => User, "Who uploaded."),

post: relation(() => Post, "The post that it became."),
});

@Resolver(() => Upload)
export class UploadResolver {

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
}
