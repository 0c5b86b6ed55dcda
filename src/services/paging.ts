/** The size of a page: the default, the clamp, and the deepest numbered page. */
import type { Config } from "../config.js";
import { type PageSelector, parsePage } from "../search/page.js";

export const DEFAULT_LIMIT = 20;

export interface PageRequest {
  /** records a page; clamped to 1..maximum, 20 by default */
  first?: number | null | undefined;
  /** `N`, `b<id>` or `a<id>` */
  page?: string | null | undefined;
  /** a cursor, which takes the place of `page` */
  after?: PageSelector | null | undefined;
}

/** A limit over the maximum is clamped, never refused. */
export const clampLimit = (first: number | null | undefined, maximum: number): number =>
  Math.min(Math.max(first ?? DEFAULT_LIMIT, 1), maximum);

/**
 * The page that was asked for.
 * @throws BoardError 424 for a page number that is too deep
 */
export const selectPage = (request: PageRequest, config: Config): PageSelector =>
  request.after ?? parsePage(request.page, config.MAX_PAGE);
