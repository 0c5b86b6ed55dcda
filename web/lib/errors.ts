/** Errors as shown to users: the board's message, and what a page needs to act on it. */
import type { CombinedError } from "@urql/core";
import { sentence } from "../titles.js";

export class Problem extends Error {
  constructor(
    message: string,
    /** code of the board's table of errors; `NETWORK` without a response */
    readonly code: string,
    /** errors by field */
    readonly fields: Readonly<Record<string, string[]>> = {},
    /** seconds to wait before a retry */
    readonly retryAfter?: number,
    /** the post that already has the file */
    readonly postId?: number,
  ) {
    super(message);
  }

  /** Whether signing in would help. */
  get needsLogin(): boolean {
    return this.message === sentence("login required");
  }
}

interface Extensions {
  code?: string;
  fields?: Record<string, string[]>;
  retryAfter?: number;
  post_id?: number;
}

export function problemOf(error: CombinedError): Problem {
  const [first] = error.graphQLErrors;
  if (!first) return new Problem("The board cannot be reached. Check the connection and try again.", "NETWORK");
  if (first.message === "PersistedQueryNotFound") reloadOnce();
  const { code = "", fields, retryAfter, post_id: postId } = first.extensions as Extensions;
  return new Problem(sentence(first.message), code, fields, retryAfter, postId);
}

/** Whether a name, password or key is wrong. */
export const isWrongPassword = (problem: Problem): boolean => problem.message === sentence("authentication failed");

/** A thrown value as a problem. */
export const problemIn = (error: unknown): Problem =>
  error instanceof Problem ? error : new Problem(String(error), "");

/** Milliseconds between two reloads by `reloadOnce`. */
const BETWEEN_RELOADS = 60_000;

/** Reloads the page, at most once a minute: a newer version of the board may have other documents and chunks. */
export function reloadOnce(): void {
  try {
    if (Date.now() - Number(sessionStorage.getItem("reloaded")) < BETWEEN_RELOADS) return;
    sessionStorage.setItem("reloaded", String(Date.now()));
    location.reload();
  } catch {
    // the browser stores nothing, so it would reload again and again
  }
}
