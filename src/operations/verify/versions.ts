/** Histories are numbered without gaps, and end in what the record is. */
import { type Invariant, ofEachRow } from "./invariant.js";

interface History {
  table: string;
  versions: string;
  /** column of the versions that names the record */
  owner: string;
  /** what both have, under the same name */
  columns: string[];
}

const HISTORIES: History[] = [
  {
    table: "posts",
    versions: "post_versions",
    owner: "post_id",
    columns: ["tag_ids", "rating", "parent_id", "source", "media_file_id"],
  },
  {
    table: "notes",
    versions: "note_versions",
    owner: "note_id",
    columns: ["version", "post_id", "x", "y", "width", "height", "body", "is_active"],
  },
  {
    table: "pools",
    versions: "pool_versions",
    owner: "pool_id",
    columns: ["name", "description", "category", "post_ids", "is_active", "is_deleted"],
  },
  {
    table: "artists",
    versions: "artist_versions",
    owner: "artist_id",
    columns: ["name", "other_names", "group_name", "is_active", "is_banned"],
  },
  {
    table: "wiki_pages",
    versions: "wiki_page_versions",
    owner: "wiki_page_id",
    columns: ["title", "body", "other_names", "is_locked", "is_deleted"],
  },
  {
    table: "artist_commentaries",
    versions: "artist_commentary_versions",
    owner: "artist_commentary_id",
    columns: ["post_id", "original_title", "original_description", "translated_title", "translated_description"],
  },
];

const numbered = ({ table, versions, owner }: History): Invariant =>
  ofEachRow(
    table,
    "versions",
    `the versions of ${table} are numbered from 1 without gaps`,
    "n.versions = 0 OR n.first <> 1 OR n.last <> n.versions",
    `CROSS JOIN LATERAL (SELECT count(*) AS versions, min(version) AS first, max(version) AS last
       FROM ${versions} v WHERE v.${owner} = r.id) n`,
  );

const last = ({ versions, owner }: History): string =>
  `JOIN LATERAL (SELECT * FROM ${versions} v WHERE v.${owner} = r.id ORDER BY version DESC LIMIT 1) v ON TRUE`;

const ended = (history: History): Invariant => {
  const of = (row: string): string => `(${history.columns.map((column) => `${row}.${column}`).join(", ")})`;
  return ofEachRow(
    history.table,
    "last_version",
    `the last versions of ${history.table} are what they are now`,
    `${of("v")} IS DISTINCT FROM ${of("r")}`,
    last(history),
  );
};

export const VERSIONS: Invariant[] = [
  ...HISTORIES.flatMap((history) => [numbered(history), ended(history)]),
  ofEachRow(
    "posts",
    "tag_changes",
    "the versions of posts say which tags came and went since the version before",
    `EXISTS (SELECT FROM post_versions v
       LEFT JOIN post_versions b ON b.post_id = v.post_id AND b.version = v.version - 1
      WHERE v.post_id = r.id AND (v.added_tag_ids <> v.tag_ids - COALESCE(b.tag_ids, '{}')
         OR v.removed_tag_ids <> COALESCE(b.tag_ids, '{}') - v.tag_ids))`,
  ),
  // A revert may bring URLs back in another order.
  ofEachRow(
    "artists",
    "last_version_urls",
    "the last versions of artists have the URLs that they have now",
    `ARRAY(SELECT unnest(v.urls) ORDER BY 1) <> ARRAY(
       SELECT CASE WHEN is_active THEN url ELSE '-' || url END FROM artist_urls u WHERE u.artist_id = r.id ORDER BY 1)`,
    last({ table: "artists", versions: "artist_versions", owner: "artist_id", columns: [] }),
  ),
];
