import { maySeeFile } from "../../src/resources/uploads/upload.policy.js";
import type { UploadRecord } from "../../src/resources/uploads/upload.service.js";
import { Post } from "../posts/post.type.js";
import { User } from "../users/user.type.js";
import { CreateUploadInput, CreateUploadPayload, Upload, UploadSearch } from "./upload.type.js";
import { resolver, list, one, relation, mutation, computed } from "../shared/operations.js";
import { string, nullable } from "../shared/fields.js";

export const UploadResolver = resolver(Upload, {
  uploads: list({
    of: Upload,
    description: "Lists uploads, newest first.",
    search: [UploadSearch, "Filters for the list of uploads."],
    find: (context, search, page) => context.board.uploads.search(context, search, page),
  }),

  upload: one({ of: Upload, description: "One upload.", id: "ID of the upload." }),

  uploader: relation(() => User, "The uploader."),

  post: relation(() => Post, "The post created from it."),

  createUpload: mutation({
    description: "Uploads a file, or the file at a URL, and creates a post from it.",
    input: [CreateUploadInput, "The file or URL, and the attributes of the post."],
    payload: CreateUploadPayload,
    resolve: async (context, { file, ...input }) => {
      const { spooled = null } = (await file) ?? {};
      return { upload: await context.board.uploads.create(context, { ...input, file: spooled }) };
    },
  }),

  md5: computed(
    nullable(string("MD5 of the file; visible to the uploader and to Janitors and above.")),
    (upload: UploadRecord, { viewer }) => (maySeeFile(viewer, upload) ? upload.md5 : null),
  ),

  md5Confirmation: computed(
    nullable(string("The MD5 that the uploader expected; visible to the uploader and to Janitors and above.")),
    (upload: UploadRecord, { viewer }) => (maySeeFile(viewer, upload) ? upload.md5Confirmation : null),
  ),
});
