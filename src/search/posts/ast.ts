/**
 * The tree of a post search. Only the functions below build trees, and they simplify them: no conjunction directly
 * within a conjunction, no double negation, `all` and `none` only as the root. So a tree is at most as deep as it
 * has leaves. Trees are not brought into conjunctive normal form, which can grow exponentially: PostgreSQL
 * evaluates nested conditions.
 */

import type { PostingKind } from "../postings/lists.js";

/** The grammar of post searches, for readers of the parser and for the documentation. */
export const GRAMMAR = String.raw`
search      = [ or-clause ]                           an empty search matches everything
or-clause   = and-clause { "or" and-clause }
and-clause  = factor { [ "and" ] factor }             so "a b or c d" is "(a b) or (c d)"
factor      = [ "-" | "~" ] expression                "-": must not match; "~": optional, see below
expression  = "(" or-clause ")" | term
term        = metatag ":" value | wildcard | tag
value       = '"' text '"' | "'" text "'"             with \" \' and \\ within
            | text up to a space                      with "\ " for a space
wildcard    = a tag with "*" in it
tag         = text up to a space, not beginning with ( ) - ~, and neither "and" nor "or"
            | "\" text up to a space                  beginning with ( or )`.trim();

/** One tag by name; with `aliased: false` aliases are not resolved. */
export interface TagTerm {
  type: "tag";
  name: string;
  aliased: boolean;
}

/** All tags that match a pattern with `*`. */
export interface WildcardTerm {
  type: "wildcard";
  pattern: string;
}

/** `name` is the canonical name, never an alias. */
export interface MetatagTerm {
  type: "metatag";
  name: string;
  value: string;
}

/** A tag, its number of posts, and the kind of its posting list. */
export interface TagMember {
  id: number;
  count: number;
  listed: PostingKind | null;
}

/** Posts with any of these tags: a tag or wildcard after its names were looked up. */
export interface TagSet {
  type: "tags";
  ids: number[];
  /** the same tags with counts and lists */
  members: readonly TagMember[];
  /** the sum of the tags' post counts: an upper bound of the matches */
  count: number;
  /** the kind of posting lists if all of the tags have the same; otherwise null */
  listed: PostingKind | null;
}

export interface Everything {
  type: "all";
}

export interface Nothing {
  type: "none";
}

export interface Negation<Leaf> {
  type: "not";
  child: Tree<Leaf>;
}

export interface Junction<Leaf> {
  type: "and" | "or";
  children: Tree<Leaf>[];
}

export type Tree<Leaf> = Leaf | Everything | Nothing | Negation<Leaf> | Junction<Leaf>;

/** A leaf from the parser. */
export type Term = TagTerm | WildcardTerm | MetatagTerm;
/** A parsed search. */
export type Query = Tree<Term>;
/** A search whose tags were looked up. */
export type ResolvedQuery = Tree<TagSet | MetatagTerm>;

type AnyLeaf = Term | TagSet;

export const ALL: Everything = Object.freeze({ type: "all" });
export const NONE: Nothing = Object.freeze({ type: "none" });

const isJunction = <L extends AnyLeaf>(node: Tree<L>): node is Junction<L> => node.type === "and" || node.type === "or";

/** Whether a node is negated. */
export const isNegation = <L extends AnyLeaf>(node: Tree<L>): node is Negation<L> => node.type === "not";

function junction<L extends AnyLeaf>(type: "and" | "or", nodes: readonly Tree<L>[]): Tree<L> {
  const [neutral, decisive] = type === "and" ? [ALL, NONE] : [NONE, ALL];
  const children: Tree<L>[] = [];
  for (const node of nodes) {
    if (node.type === decisive.type) return decisive;
    if (isJunction(node) && node.type === type) for (const child of node.children) children.push(child);
    else if (node.type !== neutral.type) children.push(node);
  }
  return children.length > 1 ? { type, children } : (children[0] ?? neutral);
}

/** Posts that match all of the nodes; without nodes, everything. */
export const and = <L extends AnyLeaf>(nodes: readonly Tree<L>[]): Tree<L> => junction("and", nodes);

/** Posts that match any of the nodes; without nodes, nothing. */
export const or = <L extends AnyLeaf>(nodes: readonly Tree<L>[]): Tree<L> => junction("or", nodes);

/**
 * Posts that do not match. `-(a or b)` becomes `-a -b`, so that all negated tags of a conjunction are one test, and `-(-a -b)`
 * becomes `a or b`. `-(a b)` stays, since it is one test already.
 */
export function not<L extends AnyLeaf>(node: Tree<L>): Tree<L> {
  if (node.type === "all") return NONE;
  if (node.type === "none") return ALL;
  if (isNegation(node)) return node.child;
  if (isJunction(node) && node.type === "or") return and(node.children.map(not<L>));
  if (isJunction(node) && node.children.every(isNegation)) return or(node.children.map(not<L>));
  return { type: "not", child: node };
}

/** The nodes that must all match: the parts of a conjunction, or the tree itself. */
export const conjuncts = <L extends AnyLeaf>(node: Tree<L>): Tree<L>[] =>
  isJunction(node) && node.type === "and" ? node.children : node.type === "all" ? [] : [node];

/** The same tree with other leaves. */
export function mapLeaves<L extends AnyLeaf, M extends AnyLeaf>(node: Tree<L>, map: (leaf: L) => Tree<M>): Tree<M> {
  if (node.type === "all") return ALL;
  if (node.type === "none") return NONE;
  if (isNegation(node)) return not(mapLeaves(node.child, map));
  if (isJunction(node))
    return junction(
      node.type,
      node.children.map((child) => mapLeaves(child, map)),
    );
  return map(node);
}

/** All leaves from left to right. */
export function leaves<L extends AnyLeaf>(node: Tree<L>): L[] {
  const found: L[] = [];
  mapLeaves<L, L>(node, (leaf) => {
    found.push(leaf);
    return ALL;
  });
  return found;
}
