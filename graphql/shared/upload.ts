/** Files for resolvers, already received. */
import { GraphQLScalarType } from "graphql";
import { scalar } from "./fields.js";
import { GraphQLUpload, Upload } from "graphql-upload-minimal";
import type { ReceivedFile } from "../../src/resources/uploads/media-ingest.js";

/** The scalar of the multipart request specification; `Upload`, its usual name, is a record of this board. */
export const FileScalar = new GraphQLScalarType({
  ...GraphQLUpload.toConfig(),
  name: "File",
  description: "A file, sent by the GraphQL multipart request specification.",
});

/** The value of the scalar's promise. */
export interface FileUpload {
  received: ReceivedFile;
}

export const file = scalar<Promise<FileUpload>>(FileScalar);

/** The scalar's value for a received file. */
export const toUpload = (received: ReceivedFile): Upload =>
  Object.assign(new Upload(), { promise: Promise.resolve({ received } satisfies FileUpload) });
