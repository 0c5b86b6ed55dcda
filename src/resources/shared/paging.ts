/** The size of a page: the default, the clamp, and the deepest numbered page. */
import type { Config } from "../../config.js";
import { failure } from "../../errors.js";
import { type PageSelector, parsePage } from "../../search/page.js";

export const DEFAULT_LIMIT = 20;

export interface PageRequest {
  /** records a page; clamped to 1..maximum, 20 by default */
  first?: number | null | undefined;
  /** records a page at most, also by `limit:` in a search; by default the maximum */
  most?: number | undefined;
  /** `N`, `b<id>` or `a<id>` */
  page?: string | null | undefined;
  /** a cursor, which overrides `page` */
  after?: PageSelector | null | undefined;
}

/** A limit over the maximum is clamped, never refused. */
export const clampLimit = (first: number | null | undefined, maximum: number): number =>
  Math.min(Math.max(first ?? DEFAULT_LIMIT, 1), maximum);

/**
 * The requested page.
 * @param maximum records a page
 * @throws BoardError 424 for a page that is too deep, by its number or by a cursor that is a position
 */
export function selectPage(request: PageRequest, { MAX_PAGE }: Config, maximum: number): PageSelector {
  const { after } = request;
  if (!after) return parsePage(request.page, MAX_PAGE);
  const deepest = MAX_PAGE * clampLimit(request.first, maximum);
  if (after.kind === "offset" && after.offset > deepest)
    throw failure("page_too_deep", { parameter: "page", limit: MAX_PAGE });
  return after;
}
