import { failure } from "../../src/errors.js";
import { maySeeFile, maySeeTagString } from "../../src/resources/uploads/upload.policy.js";
import type { UploadRecord } from "../../src/resources/uploads/upload.service.js";
import { publicWords } from "../../src/tagging/tag-string.js";
import { Post } from "../posts/post.type.js";
import { Rating } from "../shared/enums.js";
import { allNullable, boolean, date, int, ints, nullable, objectType, oneOf, string } from "../shared/fields.js";
import { list, mutation, one, resolversOf } from "../shared/operations.js";
import { computed, relation } from "../shared/record-fields.js";
import { file } from "../shared/file-fields.js";
import { User } from "../users/user.type.js";

const Upload = objectType("Upload", "An upload: a submitted file and its outcome.", {
  id: int("ID of the upload."),
  uploaderId: int("The uploader."),
  uploaderName: string("Name of the uploader."),
  source: string("The source as it was sent; empty if there is none."),
  rating: nullable(oneOf(Rating, "The requested rating.")),
  parentId: nullable(int("The requested parent post.")),
  status: string("`completed`, or `error: ` followed by a message."),
  postId: nullable(int("ID of the post created from it.")),
  contentType: nullable(string("Media type of the file, as detected from the content.")),
  fileSize: nullable(int("Size of the file in bytes.")),
  createdAt: date("When it was submitted."),
  updatedAt: date("When the status was last changed."),
});

resolversOf(Upload, {
  uploads: list({
    of: Upload,
    description: "Lists uploads, newest first.",
    search: {
      id: ints("Uploads with these IDs."),
      uploaderId: ints("Uploads by these users."),
      uploaderName: string("Uploads by the user with this name."),
      source: string("Uploads with exactly this source."),
      status: string("Uploads with exactly this status."),
      postId: ints("Uploads that these posts were created from."),
    },
    find: (context, search, page) => context.board.uploads.search(context, search, page),
  }),

  upload: one({ of: Upload, description: "One upload.", id: "ID of the upload." }),

  createUpload: mutation({
    description: "Uploads a file, or the file at a URL, and creates a post from it.",
    input: [
      {
        ...allNullable({
          file: file("The file, sent by the GraphQL multipart request specification. Takes precedence over `source`."),
          source: string("URL to download the file from; if a file is sent, only its source."),
          rating: oneOf(Rating, "The rating. Required here or as `rating:` in the tag string."),
          parentId: int("ID of the parent post."),
        }),
        tagString: string("The tags, separated by spaces."),
        ...allNullable({
          md5Confirmation: string("Expected MD5 of the file."),
          asPending: boolean("Send the post to the approval queue even if the uploader is allowed to skip it."),
        }),
      },
      "A file, or the URL of one, and the attributes of its post.",
      "The file or URL, and the attributes of the post.",
    ],
    payload: [Upload, "The upload.", "The upload and its post."],
    resolve: async (context, { file: sent, ...input }) => {
      const upload = await sent;
      const received = upload?.received ?? null;
      if (upload && !received) throw failure("invalid_parameter", { parameter: "upload[file]" });
      if (upload) upload.received = null; // the first mutation that is given a file moves or removes it
      return context.board.uploads.create(context, { ...input, file: received });
    },
  }),

  uploader: relation(() => User, "The uploader."),
  post: relation(() => Post, "The post created from it."),

  tagString: computed(
    string("The tags, as submitted; words that add a favorite or a vote only for the uploader and Admins."),
    (upload: UploadRecord, { viewer }) =>
      maySeeTagString(viewer, upload) ? upload.tagString : publicWords(upload.tagString),
  ),

  md5: computed(
    nullable(string("MD5 of the file; visible to the uploader and to Janitors and above.")),
    (upload: UploadRecord, { viewer }) => (maySeeFile(viewer, upload) ? upload.md5 : null),
  ),

  md5Confirmation: computed(
    nullable(string("The MD5 that the uploader expected; visible to the uploader and to Janitors and above.")),
    (upload: UploadRecord, { viewer }) => (maySeeFile(viewer, upload) ? upload.md5Confirmation : null),
  ),
});
