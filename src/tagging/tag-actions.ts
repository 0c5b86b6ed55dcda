/**
 * What a tag string asks for besides describing the post, done once the post is saved.
 *
 *   action = [ "-" ] "pool:" ( id | name )      add the post to the pool, or take it out
 *          | "pool:none"                        take it out of all pools
 *          | "newpool:" name                    as `pool:`, and make the pool when there is none
 *          | [ "-" ] "fav:" [ text ]            make it a favorite of the editor, or no more
 *          | ( "upvote:" | "downvote:" ) [ text ]
 *          | [ "-" ] "child:" id { "," id }     make those posts its children, or no more
 *          | "child:none"                       take all its children away
 *
 * Past a hundred pools and children a token is no action, and so a name that can't be a tag's.
 */
import { parseId } from "../search/posts/metatags/metatag.js";

export type PoolAction =
  | { kind: "add" | "remove" | "create"; /** number or name */ pool: string }
  | { kind: "remove_from_all" };

export interface TagActions {
  /** in the order typed */
  pools: PoolAction[];
  favorite?: boolean;
  vote?: 1 | -1;
  /** in the order typed; `all` children may only be taken away */
  children: { id: number | "all"; isChild: boolean }[];
}

const NAMES = ["pool", "newpool", "fav", "upvote", "downvote", "child"] as const;
type Name = (typeof NAMES)[number];

/** The meta-tags of actions. Names of tags may not begin with one of these and a colon. */
export const actionNames: readonly string[] = NAMES;

const CHILDREN_MAX = 10;
/** Pools and children in one tag string: each takes statements of its own while the post is locked. */
const ACTIONS_MAX = 100;
const TOKEN = new RegExp(`^(-?)(${NAMES.join("|")}):(.*)$`, "isu");

/** Adds what a token asks for to the actions; null when the token asks for nothing of the kind. */
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
