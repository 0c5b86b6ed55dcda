/** The messages from the server to a decoder process, by Node's IPC, and errors in its replies. */
import { BoardError } from "../../errors.js";
import type { DerivedPaths, Look, MediaLimits, Rendered } from "../types.js";
import type { VideoTools } from "../video-tools.js";
import type { WireError } from "./replies.js";

/** To the process, one at a time. */
export type Task =
  | { is: "look"; path: string; limits: MediaLimits }
  | { is: "render"; path: string; seen: Look; limits: MediaLimits; to: DerivedPaths; tools: VideoTools | null };

export interface Results {
  look: Look;
  render: Rendered;
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Maximum characters of a cause: a small file can make ffmpeg write megabytes, which would keep the server busy. */
const CAUSE_CHARS = 1_000;

export function toWire(error: unknown): WireError {
  const { cause } = error as { cause?: unknown };
  const sent = cause === undefined ? undefined : messageOf(cause).slice(0, CAUSE_CHARS);
  const shared = { message: messageOf(error), cause: sent };
  if (!(error instanceof BoardError)) return { ...shared, code: (error as NodeJS.ErrnoException).code };
  return { ...shared, key: error.key, fields: error.fields, retryAfter: error.retryAfter };
}

export function fromWire({ message, code, key, fields, retryAfter, cause }: WireError): Error {
  const reason = cause === undefined ? undefined : new Error(cause);
  if (key === undefined)
    return Object.assign(new Error(message, { cause: reason }), code === undefined ? {} : { code });
  return new BoardError(key, message, {
    cause: reason,
    ...(fields === undefined ? {} : { fields }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
}
