/** Files at the GraphQL door, by the multipart request specification, received into a temporary file. */
import type { Readable } from "node:stream";
import type { RequestHandler } from "express";
import { GraphQLScalarType } from "graphql";
import { GraphQLUpload, processRequest } from "graphql-upload-minimal";
import type { Spooled } from "../../src/services/media-intake.js";
import { failure } from "../../src/errors.js";
import type { GraphQLContext } from "../context.js";

/** The scalar of the multipart request specification; `Upload`, its usual name, is a record of this board. */
export const FileScalar = new GraphQLScalarType({
  ...GraphQLUpload.toConfig(),
  name: "File",
  description: "A file, sent by the GraphQL multipart request specification.",
});

/**
 * Reads a multipart request as far as its file, which is streamed to whoever asks for it. How large it may be is not said
 * here, where a file that is too large would only stop short: `MediaIntake.spool` counts the bytes.
 * @throws BoardError 424 for a body that is not as the specification says
 */
export const multipartRequest: RequestHandler = async (request, response, next) => {
  if (!request.is("multipart/form-data")) return next();
  request.body = await processRequest(request, response, { maxFiles: 1 }).catch((cause: unknown) => {
    throw failure("malformed_body", {}, { cause });
  });
  next();
};

/** What the scalar's promise gives. A door that has received the file already says so in `spooled`. */
export interface FileUpload {
  createReadStream(): Readable;
  spooled?: Spooled;
}

/** @throws BoardError 424 when the file is too large or breaks off, also before anybody could ask for it */
export async function receive(upload: Promise<FileUpload>, context: GraphQLContext): Promise<Spooled> {
  let stream: Readable;
  try {
    const file = await upload;
    if (file.spooled) return file.spooled;
    stream = file.createReadStream();
  } catch (error) {
    throw failure("malformed_body", {}, { cause: error });
  }
  return context.board.intake.spool(stream);
}
