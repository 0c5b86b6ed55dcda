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
    search: [UploadSearch, "Which uploads to list."],
    find: (context, search, page) => context.board.uploads.search(context, search, page),
  }),

  upload: one({ of: Upload, description: "One upload.", id: "Number of the upload." }),

  uploader: relation(() => User, "Who uploaded."),

  post: relation(() => Post, "The post that it became."),

  createUpload: mutation({
    description: "Uploads a file or the file behind a URL, which becomes a post at once.",
    input: [CreateUploadInput, "File or URL, and what its post is to be."],
    payload: CreateUploadPayload,
    resolve: async (context, { file, ...input }) => {
      const { spooled = null } = (await file) ?? {};
      return { upload: await context.board.uploads.create(context, { ...input, file: spooled }) };
    },
  }),

  md5: computed(
    nullable(string("MD5 of the file; for the uploader and Janitors.")),
    (upload: UploadRecord, { viewer }) => (maySeeFile(viewer, upload) ? upload.md5 : null),
  ),

  md5Confirmation: computed(
    nullable(string("The MD5 that the uploader expected; for the uploader and Janitors.")),
    (upload: UploadRecord, { viewer }) => (maySeeFile(viewer, upload) ? upload.md5Confirmation : null),
  ),
});
