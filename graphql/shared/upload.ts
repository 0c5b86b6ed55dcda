/** Files as resolvers get them, already received. */
import { GraphQLScalarType } from "graphql";
import { scalar } from "./fields.js";
import { GraphQLUpload, Upload } from "graphql-upload-minimal";
import type { Spooled } from "../../src/resources/uploads/media-intake.js";

/** The scalar of the multipart request specification; `Upload`, its usual name, is a record of this board. */
export const FileScalar = new GraphQLScalarType({
  ...GraphQLUpload.toConfig(),
  name: "File",
  description: "A file, sent by the GraphQL multipart request specification.",
});

/** What the scalar's promise gives. */
export interface FileUpload {
  spooled: Spooled;
}

/** A field of an input that is a file. */
export const file = scalar<Promise<FileUpload>>(FileScalar);

/** The value that the scalar accepts, giving a file that was received. */
export const toUpload = (spooled: Spooled): Upload =>
  Object.assign(new Upload(), { promise: Promise.resolve({ spooled } satisfies FileUpload) });
