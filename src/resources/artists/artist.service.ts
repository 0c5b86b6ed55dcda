/** Artists: their names, URLs and bans. */
import type { RequestContext } from "../../context.js";
import { type Db, sql } from "../../database/client.js";
import { ifTaken, nameTaken } from "../../database/faults.js";
import { lockRow } from "../../database/lock.js";
import { failure, invalid } from "../../errors.js";
import { lowerAsSql } from "../../lib/names.js";
import { mayBan, mayDelete, mayEdit, mayRename } from "./artist.policy.js";
import { authorize, requireRight } from "../shared/policy.js";
import * as by from "../../search/filters.js";
import { conditionsOf, type Page, type SearchOf } from "../../search/listing.js";
import { imposeBan, liftBan, lockForMove } from "./artist.ban.js";
import {
  type ArtistRecord,
  artistHistory,
  type ArtistState,
  artists,
  type ArtistUrlRecord,
  artistUrls,
  claimTag,
  readArtistState,
  writeUrls,
} from "./artist.records.js";
import { ARTIST_HEADS, ARTIST_ORDERS, artistConditions, type ArtistSearch } from "./artist.search.js";
import { type ArtistEdit, checkArtist, editArtist, mergeUrls, NOTHING_KNOWN } from "./artist.state.js";
import { recordModAction } from "../mod-actions/mod-action.js";
import type { Change } from "../shared/history.js";
import type { PageRequest } from "../shared/paging.js";
import { reading } from "../shared/read-model.js";

const urlFilters = {
  id: by.ids,
  artistId: by.ids,
  /** with `*` a pattern, else the exact URL; in any case */
  urlMatches: by.on(
    sql`lower(t.url)`,
    by.patternOf((url) => lowerAsSql(url.trim())),
  ),
  isActive: by.flag,
};

export class ArtistService extends reading(artists) {
  /** @throws BoardError 424 for too deep a page */
  async search(search: ArtistSearch, request: PageRequest): Promise<Page<ArtistRecord>> {
    const { database } = this.parts;
    const where = await artistConditions(database, search);
    const { order = null } = search;
    const sorted = order === null ? {} : { orderBy: ARTIST_ORDERS[order], head: ARTIST_HEADS[order] };
    return artists.list(this.parts, { where, ...sorted }, request);
  }

  /** The banned artists, by default in the order of their names. @throws BoardError 424 for too deep a page */
  async searchBanned(search: ArtistSearch, request: PageRequest): Promise<Page<ArtistRecord>> {
    const { database } = this.parts;
    const where = [sql`t.is_banned`, ...(await artistConditions(database, search))];
    return artists.list(this.parts, { where, orderBy: ARTIST_ORDERS[search.order ?? "name"] }, request);
  }

  /** URLs of artists, newest first. @throws BoardError 424 for too deep a page */
  searchUrls(search: SearchOf<typeof urlFilters>, request: PageRequest): Promise<Page<ArtistUrlRecord>> {
    return artistUrls.list(this.parts, { where: conditionsOf(urlFilters, search) }, request);
  }

  /** The first URLs of each artist, by id. @param limit most URLs of one artist */
  urlsOf(artistIds: readonly number[], limit: number): Promise<ArtistUrlRecord[]> {
    return artistUrls.oldestOfEach(this.parts.database, sql`t.artist_id`, artistIds, limit);
  }

  /** @throws BoardError 403, 420 (name, other names, URLs), 423 (name taken) */
  create(context: RequestContext, input: ArtistEdit & { name: string }): Promise<ArtistRecord> {
    const creator = requireRight(context.viewer, mayEdit);
    const state = editArtist(NOTHING_KNOWN, input, creator);
    checkArtist(null, state);
    const created = this.parts.transact(async (db) => {
      await claimTag(db, creator, state.name);
      const id = await artistHistory.create(db, context, state, { creatorId: creator.id });
      await writeUrls(db, id, state.urls);
      return artists.get(db, id);
    });
    return created.catch(nameTaken);
  }

  /** @throws BoardError 403 (also for the name of a banned artist), 404, 420 */
  update(context: RequestContext, id: number, edit: ArtistEdit): Promise<ArtistRecord> {
    return this.change(context, id, { allows: mayEdit, next: (before) => editArtist(before, edit, context.viewer) });
  }

  /** Deletes an artist; the record and its history stay. @throws BoardError 403, 404 */
  delete(context: RequestContext, id: number): Promise<ArtistRecord> {
    return this.change(context, id, { allows: mayDelete, next: () => ({ isActive: false }) });
  }

  /** @throws BoardError 403, 404 */
  undelete(context: RequestContext, id: number): Promise<ArtistRecord> {
    return this.change(context, id, { allows: mayDelete, next: () => ({ isActive: true }) });
  }

  /** Reverts everything except the ban to a version. @throws BoardError 403, 404, 420 (name taken meanwhile) */
  revert(context: RequestContext, id: number, versionId: number): Promise<ArtistRecord> {
    const next = async ({ urls, isBanned }: ArtistState, db: Db) => {
      const state = await artistHistory.state(db, id, versionId);
      return { ...state, urls: mergeUrls(urls, state.urls.join(" ")), isBanned };
    };
    return this.change(context, id, { allows: mayEdit, next, isOwnVersion: true });
  }

  /** Bans an artist with all posts; once more, and posts that came since then are banned too. @throws BoardError 403, 404, 420 (aliased tag) */
  ban(context: RequestContext, id: number): Promise<ArtistRecord> {
    const next = async ({ name, isBanned }: ArtistState, db: Db) => {
      await imposeBan(db, context, name);
      if (!isBanned) await logBan(db, context, id, `banned artist #${id}`);
      return { isBanned: true };
    };
    return this.change(context, id, { allows: mayBan, next });
  }

  /** Lifts a ban, also of the posts. @throws BoardError 403, 404 */
  unban(context: RequestContext, id: number): Promise<ArtistRecord> {
    const next = async ({ name, isBanned }: ArtistState, db: Db) => {
      if (!isBanned) return {};
      await liftBan(db, context, name);
      await logBan(db, context, id, `unbanned artist #${id}`);
      return { isBanned: false };
    };
    return this.change(context, id, { allows: mayBan, next });
  }

  private change(context: RequestContext, id: number, change: Change<ArtistState>): Promise<ArtistRecord> {
    requireRight(context.viewer, change.allows);
    const changed = this.parts.transact(async (db) => {
      if (!(await lockRow(db, "artists", id))) throw failure("not_found");
      const before = await readArtistState(db, id);
      const after = { ...before, ...(await change.next(before, db, id)) };
      checkArtist(before, after);
      if (after.name !== before.name) await rename(db, context, before, after);
      const edit = { id, before, after, isOwnVersion: change.isOwnVersion };
      if (await artistHistory.write(db, context, this.parts.config, edit)) await writeUrls(db, id, after.urls);
      return artists.get(db, id);
    });
    return changed.catch(ifTaken((details) => invalid("name", "taken", {}, details)));
  }
}

const logBan = (db: Db, { viewer }: RequestContext, id: number, done: string): Promise<void> =>
  recordModAction(db, viewer, done.startsWith("un") ? "artist_unban" : "artist_ban", done, { type: "Artist", id });

/**
 * Changes what depends on the name: the tag, and the ban.
 * @throws BoardError 403 for a banned artist, 420 for an aliased name of one
 */
async function rename(db: Db, context: RequestContext, before: ArtistState, after: ArtistState): Promise<void> {
  const { viewer } = context;
  authorize(viewer, mayRename(viewer, before));
  const locked = before.isBanned ? await lockForMove(db, [before.name, after.name]) : null;
  await claimTag(db, viewer, after.name);
  if (!locked) return;
  await liftBan(db, context, before.name, locked);
  await imposeBan(db, context, after.name, locked);
}
