/** What the server and a decoder's process say to each other, as messages of Node's IPC. */
import { BoardError, type FailureKey } from "../../errors.js";
import type { DerivedPaths, Look, MediaLimits, Rendered } from "../types.js";
import type { VideoTools } from "../video-tools.js";

/** To the process: one at a time. */
export type Task =
  | { is: "look"; path: string; limits: MediaLimits }
  | { is: "render"; path: string; seen: Look; limits: MediaLimits; to: DerivedPaths; tools: VideoTools | null };

/** What each task gives. */
export interface Results {
  look: Look;
  render: Rendered;
}

/** From the process. `resident` are the bytes that it holds now. */
export type Answer =
  /** it has started, and takes a task; `data` are the bytes that the system counts against its limit, null where that is not known */
  | { is: "ready"; data: number | null }
  | { is: "done"; result: Results[keyof Results]; resident: number }
  | { is: "failed"; error: WireError; resident: number }
  /** it got no more memory */
  | { is: "exhausted"; resident: number };

/** An error as it is sent. */
export interface WireError {
  message: string;
  /** that of the system, such as ENOSPC */
  code?: string | undefined;
  /** of a refusal: its row in the table of failures */
  key?: FailureKey | undefined;
  fields?: Record<string, string[]> | undefined;
  retryAfter?: number | undefined;
  /** the message of the cause */
  cause?: string | undefined;
}

/** Message of an error, or of what was thrown in place of one. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** An error, to be sent. */
export function toWire(error: unknown): WireError {
  const { cause } = error as { cause?: unknown };
  const shared = { message: messageOf(error), cause: cause === undefined ? undefined : messageOf(cause) };
  if (!(error instanceof BoardError)) return { ...shared, code: (error as NodeJS.ErrnoException).code };
  return { ...shared, key: error.key, fields: error.fields, retryAfter: error.retryAfter };
}

/** The error that was sent: a refusal, or a fault of ours. */
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
