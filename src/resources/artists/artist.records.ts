/** The columns of artists, and the writes of a change. */
import type { Viewer } from "../../runtime/auth/viewer.js";
import { type Db, sql } from "../../database/client.js";
import { normalizeArtistUrl } from "./artist-urls.js";
import { TagCategory } from "../../tagging/categories.js";
import { changeTags, findOrCreateTags } from "../../tagging/store.js";
import * as by from "../../search/filters.js";
import * as column from "../shared/columns.js";
import { History } from "../shared/history.js";
import { ReadModel } from "../shared/read-model.js";
import { toTagSpelling } from "../../lib/names.js";

const ownState = {
  name: column.text,
  otherNames: column.texts,
  /** empty if there is none */
  groupName: column.text,
  /** false: deleted */
  isActive: column.boolean,
  isBanned: column.boolean,
};
const artistState = {
  ...ownState,
  /** by id; `-` before inactive ones */
  urls: column.texts,
};
export type ArtistState = column.RecordOf<typeof artistState>;

const artistColumns = { ...column.ofRecord, ...column.ofCreator, ...ownState };
export type ArtistRecord = column.RecordOf<typeof artistColumns>;

export const artists = new ReadModel(
  artistColumns,
  sql`artists AS t LEFT JOIN users u ON u.id = t.creator_id LEFT JOIN tags tag ON tag.name = t.name`,
);

const urlColumns = {
  ...column.ofRecord,
  artistId: column.integer,
  /** as entered */
  url: column.text,
  /** normalized, for comparison */
  normalizedUrl: column.text,
  /** false: no longer in use */
  isActive: column.boolean,
};
export type ArtistUrlRecord = column.RecordOf<typeof urlColumns>;

export const artistUrls = new ReadModel(urlColumns, sql`artist_urls AS t`);

export const artistHistory = new History({
  record: "artist",
  table: "artists",
  state: artistState,
  elsewhere: ["urls"],
  apart: ["isActive", "isBanned"],
  filters: {
    name: by.on(sql`lower(t.name)`, by.patternOf(toTagSpelling)),
    isActive: by.flag,
    isBanned: by.flag,
  },
  orderOf: ({ order }) => (order === "name" ? sql`t.name ASC` : undefined),
});

/** A URL as entered, and as stored in versions. */
export const writtenUrl = (url: Pick<ArtistUrlRecord, "url" | "isActive">): string =>
  url.isActive ? url.url : `-${url.url}`;

export const readUrl = (written: string): Pick<ArtistUrlRecord, "url" | "isActive"> => {
  const isActive = !written.startsWith("-");
  return { url: isActive ? written : written.slice(1), isActive };
};

/** The state of an artist whose row the transaction has locked. */
export async function readArtistState(db: Db, id: number): Promise<ArtistState> {
  const artist = await db.artist.findUniqueOrThrow({ where: { id }, include: { urls: { orderBy: { id: "asc" } } } });
  const { name, otherNames, groupName, isActive, isBanned } = artist;
  return { name, otherNames, groupName, urls: artist.urls.map(writtenUrl), isActive, isBanned };
}

/** Replaces an artist's URLs by those of the list: removes, adds, activates and deactivates them. Those that stay keep their ids. */
export async function writeUrls(db: Db, artistId: number, written: readonly string[]): Promise<void> {
  const wanted = written.map(readUrl);
  const before = await db.artistUrl.findMany({ where: { artistId } });
  const known = new Map(before.map((row) => [row.url, row]));
  await db.artistUrl.deleteMany({ where: { artistId, url: { notIn: wanted.map(({ url }) => url) } } });
  for (const { url, isActive } of wanted) {
    const row = known.get(url);
    if (row && row.isActive !== isActive) await db.artistUrl.update({ where: { id: row.id }, data: { isActive } });
  }
  const added = wanted.filter(({ url }) => !known.has(url));
  if (added.length === 0) return;
  const data = added.map(({ url, isActive }) => ({
    artistId,
    url,
    normalizedUrl: normalizeArtistUrl(url),
    isActive,
  }));
  await db.artistUrl.createMany({ data });
}

/** Creates the artist's tag if necessary, and gives it the category artist if the viewer may change it. */
export async function claimTag(db: Db, viewer: Viewer, name: string): Promise<void> {
  const categories = new Map([[name, TagCategory.artist]]);
  const tags = await findOrCreateTags(db, [name], categories);
  await changeTags(db, { had: tags.map((tag) => tag.id), tags, categories }, viewer);
}
