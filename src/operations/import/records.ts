/**
 * Schemas of a Danbooru-compatible board's records: in the format of the current site, of
 * older ones (2.105) and of the public dumps. Other fields are ignored; errors contain the path of the field.
 */
import { z } from "zod";
import { MAX_INT } from "../../lib/integers.js";

/** Database dumps have numbers as strings. */
const integer = (min: number) =>
  z.preprocess(
    (value) => (typeof value === "string" && /^-?\d{1,10}$/.test(value) ? Number(value) : value),
    z.int().min(min).max(MAX_INT),
  );

const id = integer(1);

const WORDS = new Map<unknown, boolean>([
  ...[true, "true", "t", 1, "1"].map((word): [unknown, boolean] => [word, true]),
  ...[false, "false", "f", 0, "0"].map((word): [unknown, boolean] => [word, false]),
]);

/** @param absent the default */
const flagOr = (absent: boolean) =>
  z
    .unknown()
    .optional()
    .transform((value, check): boolean => {
      if (value === undefined || value === null || value === "") return absent;
      const known = WORDS.get(value);
      if (known === undefined) check.addIssue({ code: "custom", message: "Invalid input: expected boolean" });
      return known ?? absent;
    });
const flag = flagOr(false);

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? "");

/** A time of day without a zone, as databases write them: it is in UTC. */
const WITHOUT_ZONE = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)$/;

/** A time, at most now; null if absent. */
const time = z
  .string()
  .nullish()
  .transform((value, check): Date | null => {
    if (value === null || value === undefined || value === "") return null;
    const milliseconds = /^\d{4}-\d\d-\d\d/.test(value) ? Date.parse(value.replace(WITHOUT_ZONE, "$1T$2Z")) : NaN;
    if (Number.isNaN(milliseconds) || milliseconds < 0) {
      check.addIssue({ code: "custom", message: "Invalid input: expected a time" });
      return null;
    }
    return new Date(Math.min(milliseconds, Date.now()));
  });

/** A list, or a string of items separated by blanks. */
const words = z
  .union([z.array(z.string()), z.string()])
  .nullish()
  .transform((value) => (typeof value === "string" ? value.split(/\s+/u).filter(Boolean) : (value ?? [])));

const idList = z.preprocess(
  (value) => (typeof value === "string" ? value.split(/\s+/u).filter(Boolean) : (value ?? [])),
  z.array(id).max(100_000),
);

/** 0 general, 1 artist, 3 copyright, 4 character, 5 meta */
const category = z.preprocess(
  (value) => (typeof value === "string" && /^\d$/.test(value) ? Number(value) : value),
  z.union([z.literal(0), z.literal(1), z.literal(3), z.literal(4), z.literal(5)]),
);

const times = { created_at: time, updated_at: time };

const mediaAsset = z.object({
  md5: z.string().nullish(),
  file_ext: z.string().nullish(),
  variants: z.array(z.object({ type: z.string(), url: z.string().nullish() })).nullish(),
});

const MD5 = /^[0-9a-f]{32}$/;

/** The file of a post; absent if the site hides it. */
const file = {
  md5: z.string().toLowerCase().regex(MD5).nullish(),
  file_ext: z
    .string()
    .toLowerCase()
    .regex(/^[a-z0-9]{1,5}$/)
    .nullish(),
  file_url: z.string().max(2_000).nullish(),
  media_asset: mediaAsset.nullish(),
};

const posts = z.object({
  id,
  ...times,
  ...file,
  rating: z.string().max(20),
  source: text,
  parent_id: z.preprocess((value) => (value === 0 || value === "0" || value === "" ? null : value), id.nullish()),
  tag_string: text,
  tag_string_general: text,
  tag_string_artist: text,
  tag_string_copyright: text,
  tag_string_character: text,
  tag_string_meta: text,
  /** in the public dumps */
  tags: z.array(z.object({ name: z.string(), category })).nullish(),
  is_pending: flag,
  is_deleted: flag,
  is_banned: flag,
  is_note_locked: flag,
  is_rating_locked: flag,
  is_status_locked: flag,
});

const tags = z.object({ id, name: z.string(), category, is_locked: flag, is_deprecated: flag, created_at: time });

const pools = z.object({
  id,
  ...times,
  name: z.string(),
  description: text,
  category: z.enum(["series", "collection"]).nullish(),
  post_ids: idList,
  is_active: flagOr(true),
  is_deleted: flag,
});

const notes = z.object({
  id,
  ...times,
  post_id: id,
  x: integer(0),
  y: integer(0),
  width: integer(0),
  height: integer(0),
  body: z.string(),
  is_active: flagOr(true),
});

const wikiPages = z.object({
  id,
  ...times,
  title: z.string(),
  body: text,
  other_names: words,
  is_locked: flag,
  is_deleted: flag,
});

const relation = z.object({
  id,
  antecedent_name: z.string(),
  consequent_name: z.string(),
  status: text,
  reason: text,
});

export const SHAPES = {
  posts,
  tags,
  pools,
  notes,
  wiki_pages: wikiPages,
  tag_aliases: relation,
  tag_implications: relation,
};

export type PostShape = z.output<typeof posts>;
export type TagShape = z.output<typeof tags>;
export type PoolShape = z.output<typeof pools>;
export type NoteShape = z.output<typeof notes>;
export type WikiPageShape = z.output<typeof wikiPages>;

/** The id of a record that may otherwise be invalid; null without one. */
export function idOf(record: unknown): number | null {
  if (typeof record !== "object" || record === null || !Object.hasOwn(record, "id")) return null;
  const parsed = id.safeParse((record as { id: unknown }).id);
  return parsed.success ? parsed.data : null;
}

/** The first problems of a record, for the report. */
export const wrongWith = (error: z.ZodError): string =>
  error.issues
    .slice(0, 3)
    .map((issue) => `${issue.path.join(".") || "record"}: ${issue.message}`)
    .join("; ");
