/**
 * Parses tag strings, with which users edit a post's tags, rating, parent and source.
 *
 *   tag-string = { token }                       separated by Unicode blanks
 *   token      = [ "-" ] [ category ":" ] name   add a tag or, with the dash, remove it
 *              | "rating:" letter-or-word
 *              | [ "-" ] "parent:" ( id | "none" )
 *              | "source:" ( text | quoted | "none" )
 *              | [ "-" ] "locked:" ( "rating" | "note" | "notes" | "status" )
 *              | action                         (`tag-actions.ts`)
 *   quoted     = '"' text with blanks '"'         with \" and \\ within, as in searches
 *
 * Parsing never throws and does not use the database; `edit.ts` resolves the names.
 */
import { invalid } from "../errors.js";
import { MAX_INT } from "../lib/integers.js";
import { unescaped } from "../search/posts/lexer.js";
import { normalizeRating, type Rating } from "./rating.js";
import { categoryOfPrefix, type TagCategoryNumber } from "./categories.js";
import { takeAction, type TagActions } from "./tag-actions.js";
import { normalizeTagName } from "./tag-name.js";

export type Lock = "rating" | "note" | "status";

export interface ParsedTagString {
  /** normalised names of the tags, in the order given, unique */
  names: string[];
  /** normalised names of the tags to remove */
  removed: string[];
  /** categories given by prefixes, by name */
  categories: Map<string, TagCategoryNumber>;
  rating?: Rating;
  /** the id to set, or null to clear */
  parentId?: number | null;
  /** clear the parent if it is this post */
  notParentId?: number;
  source?: string;
  locks: Partial<Record<Lock, boolean>>;
  /** to run after the post is saved */
  actions?: TagActions;
  /** whether the names are those of a version of the post, which may break the rules for new ones */
  isOfVersion?: boolean;
}

/** Maximum length of a tag string in UTF-16 units: more than the most tags with the longest names have. */
export const TAG_STRING_MAX = 250_000;

/** A token: text without blanks, or a value with blanks in quotes. */
const TOKEN = /-?(?:source|pool|newpool):"[^"\\]*(?:\\.[^"\\]*)*"(?!\S)|\S+/gisu;
const QUOTED = /^(-?(?:source|pool|newpool):)"([^"\\]*(?:\\.[^"\\]*)*)"$/isu;
const LOCKS: Record<string, Lock> = { rating: "rating", note: "note", notes: "note", status: "status" };

/**
 * Parses the tag string of an edit; undefined if it has none.
 * @throws BoardError 420 if it is too long
 */
export function readTagString(text: string | null | undefined, field: string): ParsedTagString | undefined {
  if (typeof text !== "string") return undefined;
  if (text.length > TAG_STRING_MAX) throw invalid(field, "too_long", { limit: TAG_STRING_MAX });
  return parseTagString(text);
}

export function parseTagString(text: string): ParsedTagString {
  const parsed: ParsedTagString = { names: [], removed: [], categories: new Map(), locks: {} };
  for (const token of new Set(text.match(TOKEN))) {
    if (!takeMetatag(token, parsed)) takeName(token, parsed);
  }
  parsed.names = [...new Set(parsed.names)];
  return parsed;
}

/** The author's favorite and vote, which are private. */
const PRIVATE = /^-?(?:fav|upvote|downvote):/iu;

/** The words of a tag string that others than its author may see. */
export const publicWords = (text: string): string =>
  (text.match(TOKEN) ?? []).filter((token) => !PRIVATE.test(token)).join(" ");

/** Adds a meta-tag to `parsed`; false if the token is not one. */
function takeMetatag(written: string, parsed: ParsedTagString): boolean {
  const token = written.replace(QUOTED, (_, prefix: string, value: string) => prefix + unescaped(value.trim()));
  const actions = takeAction(token, parsed.actions);
  if (actions) {
    parsed.actions = actions;
    return true;
  }
  const match = /^(-?)(rating|parent|source|locked):(.*)$/isu.exec(token);
  if (!match) return false;
  const negated = match[1] === "-";
  const value = match[3] ?? "";
  switch ((match[2] ?? "").toLowerCase()) {
    case "rating":
      return !negated && takeRating(value, parsed);
    case "parent":
      return takeParent(value, negated, parsed);
    case "source":
      if (negated) return false;
      parsed.source = value.toLowerCase() === "none" ? "" : value;
      return true;
    default:
      return takeLock(value, !negated, parsed);
  }
}

function takeRating(value: string, parsed: ParsedTagString): boolean {
  const rating = normalizeRating(value);
  if (rating) parsed.rating = rating;
  return rating !== null;
}

function takeParent(value: string, negated: boolean, parsed: ParsedTagString): boolean {
  const id = /^\d{1,10}$/.test(value) ? Math.min(Number(value), MAX_INT) : null;
  if (negated) {
    if (id !== null) parsed.notParentId = id;
    return id !== null;
  }
  if (value.toLowerCase() === "none" || id === 0) parsed.parentId = null;
  else if (id !== null) parsed.parentId = id;
  else return false;
  return true;
}

function takeLock(value: string, locked: boolean, parsed: ParsedTagString): boolean {
  const word = value.toLowerCase();
  const lock = Object.hasOwn(LOCKS, word) ? LOCKS[word] : undefined;
  if (lock) parsed.locks[lock] = locked;
  return lock !== undefined;
}

function takeName(token: string, parsed: ParsedTagString): void {
  if (/^[-~*,%]+$/.test(token)) return;
  const negated = token.startsWith("-");
  const { name, category } = splitCategory(normalizeTagName(token));
  if (negated) parsed.removed.push(name);
  else parsed.names.push(name);
  if (category !== null && !negated) parsed.categories.set(name, category);
}

function splitCategory(name: string): { name: string; category: TagCategoryNumber | null } {
  const colon = name.indexOf(":");
  const category = colon > 0 ? categoryOfPrefix(name.slice(0, colon)) : null;
  const rest = normalizeTagName(name.slice(colon + 1));
  return category === null || rest === "" ? { name, category: null } : { name: rest, category };
}
