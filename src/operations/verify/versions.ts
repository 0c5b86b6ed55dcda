/** Invariants of versions: numbered without gaps, and the last one equals the record. */
import { toSnake } from "../../lib/case.js";
import { HISTORIES } from "../../resources/histories.js";
import { type Columns, namesOf } from "../../resources/shared/columns.js";
import { type Invariant, ofEachRow } from "./invariant.js";

/** The parts of a history's description that are needed here. */
interface Description {
  table: string;
  state: Columns;
  elsewhere?: readonly string[];
  alike?: readonly string[];
}

interface Checked {
  table: string;
  versions: string;
  /** column of the versions that references the record */
  owner: string;
  /** columns of both tables, with the same names */
  columns: string[];
}

const CHECKED: Checked[] = Object.values(HISTORIES).map(({ of, versions, owner }) => {
  const { table, state, elsewhere = [], alike = [] }: Description = of;
  const columns = namesOf(state).filter((name) => !elsewhere.map(toSnake).includes(name));
  return { table, versions, owner, columns: [...alike.map(toSnake), ...columns] };
});

const numbered = ({ table, versions, owner }: Checked): Invariant =>
  ofEachRow(
    table,
    "versions",
    `the versions of ${table} are numbered from 1 without gaps`,
    "n.versions = 0 OR n.first <> 1 OR n.last <> n.versions",
    `CROSS JOIN LATERAL (SELECT count(*) AS versions, min(version) AS first, max(version) AS last
       FROM ${versions} v WHERE v.${owner} = r.id) n`,
  );

const last = ({ versions, owner }: Checked): string =>
  `JOIN LATERAL (SELECT * FROM ${versions} v WHERE v.${owner} = r.id ORDER BY version DESC LIMIT 1) v ON TRUE`;

const upToDate = (history: Checked): Invariant => {
  const of = (row: string): string => `(${history.columns.map((column) => `${row}.${column}`).join(", ")})`;
  return ofEachRow(
    history.table,
    "last_version",
    `the last versions of ${history.table} equal the current rows`,
    `${of("v")} IS DISTINCT FROM ${of("r")}`,
    last(history),
  );
};

/** The condition that a version `v` of the record `r`, after the version `b`, is wrong in what it says that it changed. */
const wrongChange = ({ versions, owner }: Pick<Checked, "versions" | "owner">, wrong: string): string =>
  `EXISTS (SELECT FROM ${versions} v LEFT JOIN ${versions} b ON b.${owner} = v.${owner} AND b.version = v.version - 1
    WHERE v.${owner} = r.id AND (${wrong}))`;

/** Whether the ids in a column are not those of one list beyond those of another, repeated ones counted. */
const isNotBeyond = (column: string, list: string, other: string): string =>
  `ARRAY(SELECT unnest(${column}) ORDER BY 1) <> ARRAY(SELECT unnest(${list}) EXCEPT ALL SELECT unnest(${other}) ORDER BY 1)`;

const postChanges = (history: Checked): Invariant =>
  ofEachRow(
    history.table,
    "post_changes",
    `the added and removed posts of versions of ${history.table} are right`,
    wrongChange(
      history,
      `${isNotBeyond("v.added_post_ids", "v.post_ids", "b.post_ids")} OR ${isNotBeyond("v.removed_post_ids", "b.post_ids", "v.post_ids")}`,
    ),
  );

/** Whether the versions of a post's records name its post; triggers and searches read it there. */
const postsOf = ({ table, versions, owner }: Pick<Checked, "table" | "versions" | "owner">): Invariant =>
  ofEachRow(
    table,
    "version_posts",
    `the versions of ${table} have the post of the current rows`,
    `EXISTS (SELECT FROM ${versions} v WHERE v.${owner} = r.id AND v.post_id <> r.post_id)`,
  );

const OF_POSTS = ["notes", "artist_commentaries"];

export const VERSIONS: Invariant[] = [
  ...CHECKED.flatMap((history) => [numbered(history), upToDate(history)]),
  ...CHECKED.filter(({ columns }) => columns.includes("post_ids")).map(postChanges),
  ...CHECKED.filter(({ table }) => OF_POSTS.includes(table)).map(postsOf),
  ofEachRow(
    "pools",
    "changes",
    "the changes of name and description in pool versions are right",
    wrongChange(
      { versions: "pool_versions", owner: "pool_id" },
      `v.name_changed <> COALESCE(b.name <> v.name, FALSE) OR v.description_changed <> COALESCE(b.description <> v.description, FALSE)`,
    ),
  ),
  ofEachRow(
    "posts",
    "changes",
    "the changes in post versions are right",
    wrongChange(
      { versions: "post_versions", owner: "post_id" },
      `v.added_tag_ids <> v.tag_ids - COALESCE(b.tag_ids, '{}') OR v.removed_tag_ids <> COALESCE(b.tag_ids, '{}') - v.tag_ids
         OR v.rating_changed <> (b.rating IS DISTINCT FROM v.rating) OR v.parent_changed <> (b.parent_id IS DISTINCT FROM v.parent_id)
         OR v.source_changed <> (COALESCE(b.source, '') <> v.source)`,
    ),
  ),
  // A revert can restore URLs in another order.
  ofEachRow(
    "artists",
    "last_version_urls",
    "the last versions of artists have the current URLs",
    `ARRAY(SELECT unnest(v.urls) ORDER BY 1) <> ARRAY(
       SELECT CASE WHEN is_active THEN url ELSE '-' || url END FROM artist_urls u WHERE u.artist_id = r.id ORDER BY 1)`,
    last({ table: "artists", versions: "artist_versions", owner: "artist_id", columns: [] }),
  ),
];
