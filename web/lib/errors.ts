/** Errors as shown to users: the board's message, and what a page needs to act on it. */
import type { CombinedError } from "@urql/core";

export class Problem extends Error {
  constructor(
    message: string,
    /** of the board's table of errors; `NETWORK` for no answer */
    readonly code: string,
    /** what is wrong with each field of a record */
    readonly fields: Readonly<Record<string, string[]>> = {},
    /** seconds after which it is worth another try */
    readonly retryAfter?: number,
    /** the post that has the file already */
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

/** A reason of the table as a sentence: its first letter is raised, and it ends with a full stop. */
export const sentence = (reason: string): string =>
  reason === "" ? "" : `${reason[0]?.toUpperCase()}${reason.slice(1)}${/[.!?]$/.test(reason) ? "" : "."}`;

export function problemOf(error: CombinedError): Problem {
  const [first] = error.graphQLErrors;
  if (!first) return new Problem("The board cannot be reached. Check the connection and try again.", "NETWORK");
  if (first.message === "PersistedQueryNotFound") reloadOnce();
  const { code = "", fields, retryAfter, post_id: postId } = first.extensions as Extensions;
  return new Problem(sentence(first.message), code, fields, retryAfter, postId);
}

/** What was thrown, as a problem. */
export const problemIn = (error: unknown): Problem =>
  error instanceof Problem ? error : new Problem(String(error), "");

/** A newer version of the board no longer knows this page's documents. */
function reloadOnce(): void {
  if (sessionStorage.getItem("reloaded") === location.href) return;
  sessionStorage.setItem("reloaded", location.href);
  location.reload();
}
