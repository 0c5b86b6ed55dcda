/** The requested page of a listing: by number, by position, or before or after an id. */
import { failure } from "../errors.js";

export type PageSelector =
  | { kind: "number"; page: number }
  /** the records after a number of others, for cursors of lists that are not ordered by id */
  | { kind: "offset"; offset: number }
  | { kind: "before"; id: number }
  | { kind: "after"; id: number };

/** The records on the other side of a page's id, with its own; null for a page by number or position. */
export function otherSideOf(page: PageSelector): PageSelector | null {
  if (page.kind === "before") return { kind: "after", id: page.id - 1 };
  return page.kind === "after" ? { kind: "before", id: page.id + 1 } : null;
}

/** The number of a page; null if it was not chosen by number. */
export const numberOf = (page: PageSelector): number | null => (page.kind === "number" ? page.page : null);

const FIRST_PAGE: PageSelector = { kind: "number", page: 1 };

/**
 * Parses a `page` parameter: `N`, `b<id>` (older than the id) or `a<id>` (newer), in either case. Numbers below 1
 * and invalid values are the first page. Ids may be larger than any existing one, but are clamped to the maximum integer.
 * @throws BoardError 424 for a number over `maxPage`, because OFFSET reads everything that it skips
 */
export function parsePage(text: string | null | undefined, maxPage: number): PageSelector {
  const match = /^([ab]?)(\d+)$/i.exec((text ?? "").trim());
  if (!match) return FIRST_PAGE;
  const number = Math.min(Number(match[2]), Number.MAX_SAFE_INTEGER);
  const side = (match[1] ?? "").toLowerCase();
  if (side !== "") return { kind: side === "b" ? "before" : "after", id: number };
  if (number > maxPage) throw failure("page_too_deep", { parameter: "page", limit: maxPage });
  return number < 1 ? FIRST_PAGE : { kind: "number", page: number };
}
