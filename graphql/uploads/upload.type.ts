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
  objectType,
  inputType,
  optionalInput,
} from "../shared/fields.js";

export const Upload = objectType("Upload", "An upload: a submitted file and its outcome.", {
  id: int("ID of the upload."),
  uploaderId: int("The uploader."),
  uploaderName: string("Name of the uploader."),
  source: string("The source, after redirects if it was downloaded; empty if there is none."),
  tagString: string("The tags, as submitted."),
  rating: nullable(oneOf(Rating, "The requested rating.")),
  parentId: nullable(int("The requested parent post.")),
  status: string("`completed`, or `error: ` followed by a message."),
  postId: nullable(int("ID of the post created from it.")),
  contentType: nullable(string("Media type of the file, as detected from the content.")),
  fileSize: nullable(int("Size of the file in bytes.")),
  createdAt: date("When it was submitted."),
  updatedAt: date("When the status was last changed."),
});

export const UploadSearch = optionalInput("UploadSearch", "Filters for the list of uploads.", {
  id: ints("Uploads with these IDs."),
  uploaderId: ints("Uploads by these users."),
  uploaderName: string("Uploads by the user with this name."),
  source: string("Uploads with exactly this source."),
  status: string("Uploads with exactly this status."),
  postId: ints("Uploads that these posts were created from."),
});

export const CreateUploadInput = inputType(
  "CreateUploadInput",
  "A file, or the URL of one, and the attributes of its post.",
  {
    file: nullable(
      file("The file, sent by the GraphQL multipart request specification. Takes precedence over `source`."),
    ),
    source: nullable(string("URL to download the file from; if a file is sent, only its source.")),
    rating: nullable(oneOf(Rating, "The rating. Required here or as `rating:` in the tag string.")),
    parentId: nullable(int("ID of the parent post.")),
    tagString: string("The tags, separated by spaces."),
    md5Confirmation: nullable(string("Expected MD5 of the file.")),
    asPending: nullable(boolean("Send the post to the approval queue even if the uploader is allowed to skip it.")),
  },
);

export const CreateUploadPayload = objectType("CreateUploadPayload", "The upload and its post.", {
  upload: nested(() => Upload, "The upload."),
});
