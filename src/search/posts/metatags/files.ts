/** Meta-tags of the file and its source. */
import { type Sql, sql } from "../../../database/client.js";
import { lowerAsSql, toSourceSpelling } from "../../../lib/names.js";
import { like } from "../../indexed.js";
import { likePattern } from "../../pattern.js";
import { eachOf, type Metatag } from "./metatag.js";

/** File types as posts have them, by every spelling. */
const EXTENSIONS: ReadonlyMap<string, string> = new Map(
  ["jpg", "png", "gif", "webp", "avif", "mp4", "webm"].map((ext) => [ext, ext] as const).concat([["jpeg", "jpg"]]),
);

export const FILE_TYPES: readonly string[] = [...EXTENSIONS.keys()];

/** One of the file types of a list; null when one of them is unknown. */
export function fileTypeSql(value: string): Sql | null {
  const extensions = eachOf(value, (word) => EXTENSIONS.get(word.toLowerCase()) ?? null);
  // by equality, the index has them in the order of their ids
  if (extensions?.length === 1) return sql`posts.file_ext = ${extensions[0]}`;
  return extensions && sql`posts.file_ext = ANY(${`{${extensions.join(",")}}`}::text[])`;
}

function md5Sql(value: string): Sql | null {
  const hashes = eachOf(value, (word) => (/^[0-9a-f]{32}$/i.test(word) ? word.toLowerCase() : null));
  // bpchar, the type of the column: with text, PostgreSQL would convert the column and not use its index
  return hashes && sql`posts.md5 = ANY(${`{${hashes.join(",")}}`}::bpchar[])`;
}

/** Sources are compared by prefix, ignoring case. */
function sourceSql(value: string): Sql | null {
  const text = lowerAsSql(toSourceSpelling(value));
  if (text === "") return null;
  if (text === "none") return sql`posts.source = ''`;
  if (text === "any") return sql`posts.source <> ''`;
  return like(sql`lower(posts.source)`, likePattern(`${text}*`));
}

export const FILES: readonly Metatag[] = [
  {
    name: "md5",
    value: "32 hexadecimal digits; lists",
    description: "MD5 of the file",
    examples: ["md5:0123456789abcdef0123456789abcdef"],
    toSql: md5Sql,
    isIndexed: true,
  },
  {
    name: "filetype",
    value: `${FILE_TYPES.join(", ")}; lists`,
    description: "file type",
    examples: ["filetype:png", "filetype:mp4,webm"],
    words: FILE_TYPES,
    toSql: fileTypeSql,
  },
  {
    name: "source",
    value: "text, none, any; * matches anything",
    description: "prefix of the source, ignoring case",
    examples: ["source:https://example.com/", "source:*twitter*", "source:none", 'source:"a book"'],
    words: ["none", "any", "http"],
    toSql: sourceSql,
    isIndexed: true,
    isPlannedByValue: true,
  },
];
