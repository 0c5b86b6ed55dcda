/**
 * Actions in tag strings, run after the post is saved.
 *
 *   action = [ "-" ] "pool:" ( id | name )      add the post to the pool, or remove it; a name with blanks is in quotes
 *          | "pool:none"                        remove it from all pools
 *          | "newpool:" name                    as `pool:`, but create the pool if it does not exist
 *          | [ "-" ] "fav:" [ text ]            add it to the editor's favorites, or remove it
 *          | ( "upvote:" | "downvote:" ) [ text ]
 *          | [ "-" ] "child:" id { "," id }     make these posts its children, or remove them
 *          | "child:none"                       remove all children
 *
 * After a hundred pools and children, further ones are parsed as tag names, and refused because of their prefix.
 */
import { parseId } from "../search/posts/metatags/metatag.js";

export type PoolAction =
  | { kind: "add" | "remove" | "create"; /** id or name */ pool: string }
  | { kind: "remove_from_all" };

export interface TagActions {
  /** in the order typed */
  pools: PoolAction[];
  favorite?: boolean;
  vote?: 1 | -1;
  /** in the order typed; `all` only to remove them */
  children: { id: number | "all"; isChild: boolean }[];
}

const NAMES = ["pool", "newpool", "fav", "upvote", "downvote", "child"] as const;
type Name = (typeof NAMES)[number];

/** The meta-tags of actions. Tag names must not begin with one of these and a colon. */
export const actionNames: readonly string[] = NAMES;

const CHILDREN_MAX = 10;
/** The most pools and children in one tag string: each takes statements while the post is locked. */
const ACTIONS_MAX = 100;
const TOKEN = new RegExp(`^(-?)(${NAMES.join("|")}):(.*)$`, "isu");

/** Adds a token's action to those before; null if the token is not an action. */
export function takeAction(token: string, before: TagActions | undefined): TagActions | null {
  const match = TOKEN.exec(token);
  if (!match) return null;
  const actions = before ?? { pools: [], children: [] };
  const isNegated = match[1] === "-";
  if (actions.pools.length + actions.children.length >= ACTIONS_MAX) return null;
  const taken = take((match[2] ?? "").toLowerCase() as Name, match[3] ?? "", isNegated, actions);
  return taken ? actions : null;
}

function take(name: Name, value: string, isNegated: boolean, actions: TagActions): boolean {
  if (name === "child") return takeChildren(value, !isNegated, actions);
  if (name === "pool") return takePool(value, isNegated, actions);
  if (name === "fav") {
    actions.favorite = !isNegated;
    return true;
  }
  if (isNegated || (name === "newpool" && value === "")) return false;
  if (name === "newpool") actions.pools.push({ kind: "create", pool: value });
  else actions.vote = name === "upvote" ? 1 : -1;
  return true;
}

function takePool(value: string, isNegated: boolean, actions: TagActions): boolean {
  const isAll = value.toLowerCase() === "none";
  if (value === "" || (isAll && isNegated)) return false;
  actions.pools.push(isAll ? { kind: "remove_from_all" } : { kind: isNegated ? "remove" : "add", pool: value });
  return true;
}

function takeChildren(value: string, isChild: boolean, actions: TagActions): boolean {
  if (value.toLowerCase() === "none") {
    if (isChild) actions.children.push({ id: "all", isChild: false });
    return isChild;
  }
  const ids = value.split(",").map(parseId);
  if (ids.length > CHILDREN_MAX) return false;
  const known = ids.filter((id) => id !== null);
  if (known.length < ids.length) return false;
  actions.children.push(...known.map((id) => ({ id, isChild })));
  return true;
}
