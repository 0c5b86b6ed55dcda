/** The part of a search that posting lists can answer: required and excluded tags with lists. */
import { and, conjuncts, isNegation, type ResolvedQuery, type TagSet } from "../posts/ast.js";
import type { PostingKind } from "./lists.js";

/** Tags of which a post must have at least one, or none, all with lists of one kind. */
export interface Listed {
  ids: readonly number[];
  kind: PostingKind;
}

export interface Postings {
  /** the tag with the fewest posts among those that must be present */
  driver: Listed;
  /** the number of posts with the driver's tag */
  count: number;
  required: readonly Listed[];
  excluded: readonly Listed[];
  /** conditions tested on the posts themselves */
  rest: ResolvedQuery;
}

/** Maximum number of tags of a set, each of which is looked up in each block; larger sets are tested on the posts. */
const MOST_TAGS = 8;

/** Maximum number of lists in a statement. */
export const listsOf = ({ driver, required, excluded }: Postings): number =>
  [driver, ...required, ...excluded].reduce((sum, { ids }) => sum + ids.length, 0);

type Part = { set: TagSet; isExcluded: boolean; node: ResolvedQuery };

const partOf = (node: ResolvedQuery): Part | null => {
  const isExcluded = isNegation(node);
  const set = isExcluded ? node.child : node;
  return set.type === "tags" && set.listed !== null && set.ids.length <= MOST_TAGS ? { set, isExcluded, node } : null;
};

const listed = ({ set }: Part): Listed => ({ ids: set.ids, kind: set.listed ?? "ids" });

/**
 * The lists that can answer a search; null if there are none. Ids can be tested against bits, but not the other way
 * round: lists of ids beside a driver with bits are tested on the posts.
 */
export function postingsOf(query: ResolvedQuery): Postings | null {
  const nodes = conjuncts(query);
  const parts = nodes.map(partOf).filter((part) => part !== null);
  const drivers = parts.filter(({ set, isExcluded }) => !isExcluded && set.ids.length === 1);
  const driver = rarest(drivers.filter(({ set }) => set.listed === "ids")) ?? rarest(drivers);
  if (!driver) return null;
  const used = parts.filter((part) => part !== driver && (driver.set.listed === "ids" || part.set.listed === "bits"));
  const answered = new Set([driver, ...used].map(({ node }) => node));
  return {
    driver: listed(driver),
    count: driver.set.count,
    required: used.filter(({ isExcluded }) => !isExcluded).map(listed),
    excluded: used.filter(({ isExcluded }) => isExcluded).map(listed),
    rest: and(nodes.filter((node) => !answered.has(node))),
  };
}

const rarest = (parts: readonly Part[]): Part | undefined =>
  parts.reduce<Part | undefined>(
    (least, part) => (least && least.set.count <= part.set.count ? least : part),
    undefined,
  );
