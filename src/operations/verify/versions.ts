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
  return { table, versions, owner, columns: [...alike, ...columns] };
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

export const VERSIONS: Invariant[] = [
  ...CHECKED.flatMap((history) => [numbered(history), upToDate(history)]),
  ofEachRow(
    "posts",
    "tag_changes",
    "the added and removed tags of post versions are right",
    `EXISTS (SELECT FROM post_versions v
       LEFT JOIN post_versions b ON b.post_id = v.post_id AND b.version = v.version - 1
      WHERE v.post_id = r.id AND (v.added_tag_ids <> v.tag_ids - COALESCE(b.tag_ids, '{}')
         OR v.removed_tag_ids <> COALESCE(b.tag_ids, '{}') - v.tag_ids))`,
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
