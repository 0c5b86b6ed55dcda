import { Rating } from "../shared/enums.js";
import { file } from "../shared/upload.js";
import {
  int,
  string,
  boolean,
  date,
  oneOf,
  nested,
  ints,
  nullable,
  allNullable,
  objectType,
  inputType,
} from "../shared/fields.js";

export const Upload = objectType("Upload", "A file that was submitted, and what became of it.", {
  id: int("Number of the upload."),
  uploaderId: int("Who uploaded."),
  uploaderName: string("Name of who uploaded."),
  source: string("The source, after redirects when it was downloaded; or empty."),
  tagString: string("The tags, as submitted."),
  rating: nullable(oneOf(Rating, "The rating that was asked for.")),
  parentId: nullable(int("The parent that was asked for.")),
  status: string("`completed`, or `error: ` and what was wrong."),
  postId: nullable(int("Number of the post that it became.")),
  contentType: nullable(string("Media type of the file, from its bytes.")),
  fileSize: nullable(int("Size of the file in bytes.")),
  createdAt: date("When it was submitted."),
  updatedAt: date("When its status last changed."),
});

export const UploadSearch = inputType(
  "UploadSearch",
  "Which uploads to list.",
  allNullable({
    id: ints("Uploads of these numbers."),
    uploaderId: ints("Uploads by these users."),
    uploaderName: string("Uploads by the user of this name."),
    source: string("Uploads of exactly this source."),
    status: string("Uploads of exactly this status."),
    postId: ints("Uploads that became these posts."),
  }),
);

export const CreateUploadInput = inputType(
  "CreateUploadInput",
  "A file or the URL of one, with what its post is to be.",
  {
    file: nullable(file("The file, by the GraphQL multipart request specification. It wins over `source`.")),
    source: nullable(string("URL to download the file from; beside a file, only words about where it comes from.")),
    rating: nullable(oneOf(Rating, "How explicit it is. Required, here or as `rating:` in the tag string.")),
    parentId: nullable(int("Number of the parent post.")),
    tagString: string("The tags, separated by blanks."),
    md5Confirmation: nullable(string("MD5 that the file must have.")),
    asPending: nullable(boolean("Ask for approval even where none is needed.")),
  },
);
export type CreateUploadInput = InstanceType<typeof CreateUploadInput>;

export const CreateUploadPayload = objectType("CreateUploadPayload", "The upload, which has become a post.", {
  upload: nested(() => Upload, "The upload."),
});
