/** The records that have a history. The board's services, the loaders, `board verify` and the tests read this list. */
import type { Config } from "../config.js";
import type { Database } from "../database/client.js";
import { artistCommentaryHistory } from "./artist-commentaries/artist-commentary.records.js";
import { artistHistory } from "./artists/artist.records.js";
import { favoriteGroupHistory } from "./favorite-groups/favorite-group.records.js";
import { noteHistory } from "./notes/note.records.js";
import { poolHistory } from "./pools/pool.records.js";
import { postHistory } from "./posts/post.versions.js";
import { type Described, VersionService } from "./shared/history.js";
import { wikiPageHistory } from "./wiki-pages/wiki-page.records.js";

export const HISTORIES = {
  artist: artistHistory,
  artistCommentary: artistCommentaryHistory,
  favoriteGroup: favoriteGroupHistory,
  note: noteHistory,
  pool: poolHistory,
  post: postHistory,
  wikiPage: wikiPageHistory,
};

type Histories = typeof HISTORIES;
type SearchOf<Of> = Of extends { of: Described<never, never, never, never, infer Search> } ? Search : object;
type ReadBy<Of> = Of extends { model: { byId: (...args: never[]) => Promise<infer Version> } }
  ? NonNullable<Version>
  : never;

/** A version of a record. */
export type Version<Name extends keyof Histories> = ReadBy<Histories[Name]>;

/** How the versions of each kind are read. */
export type VersionServices = {
  [Name in keyof Histories]: VersionService<Name, Version<Name>, SearchOf<Histories[Name]>>;
};

export const versionServices = (database: Database, config: Config): VersionServices =>
  Object.fromEntries(
    Object.entries(HISTORIES).map(([name, history]) => [name, new VersionService(database, config, history as never)]),
  ) as never;
