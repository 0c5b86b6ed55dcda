/** The history of artists, as it is listed. */
import type { Config } from "../../config.js";
import { type PrismaClient, sql } from "../../database/client.js";
import { Filters, type Page } from "../../search/listing.js";
import { normalizeArtistName } from "./artist.state.js";
import type { PageRequest } from "../shared/paging.js";
import { ReadModel } from "../shared/read-model.js";

export interface ArtistVersionRecord {
  id: number;
  artistId: number;
  version: number;
  updaterId: number;
  updaterName: string;
  name: string;
  otherNames: string[];
  groupName: string;
  /** `-` before those out of use */
  urls: string[];
  isActive: boolean;
  isBanned: boolean;
  createdAt: Date;
  updatedAt: Date;
}

export type ArtistVersionOrder = "name" | "date";

export interface ArtistVersionSearch {
  id?: number[] | null;
  artistId?: number[] | null;
  /** pattern with `*` */
  name?: string | null;
  updaterId?: number[] | null;
  updaterName?: string | null;
  isActive?: boolean | null;
  isBanned?: boolean | null;
  order?: ArtistVersionOrder | null;
}

const versions = new ReadModel<ArtistVersionRecord>(
  sql`t.id, t.artist_id AS "artistId", t.version, t.updater_id AS "updaterId", u.name AS "updaterName", t.name,
  t.other_names AS "otherNames", t.group_name AS "groupName", t.urls, t.is_active AS "isActive",
  t.is_banned AS "isBanned", t.created_at AS "createdAt", t.updated_at AS "updatedAt"`,
  sql`artist_versions AS t JOIN users u ON u.id = t.updater_id`,
);

const ORDERS = {
  name: sql`t.name ASC, t.id DESC`,
  date: undefined, // newest first, which is the default
};

export class ArtistVersionService {
  constructor(
    private readonly prisma: PrismaClient,
    private readonly config: Config,
  ) {}

  /** @throws BoardError 424 for too deep a page */
  search(search: ArtistVersionSearch, request: PageRequest): Promise<Page<ArtistVersionRecord>> {
    const filters = new Filters()
      .ids(sql`t.id`, search.id)
      .ids(sql`t.artist_id`, search.artistId)
      .pattern(sql`lower(t.name)`, search.name && normalizeArtistName(search.name))
      .ids(sql`t.updater_id`, search.updaterId)
      .userName(sql`t.updater_id`, search.updaterName)
      .flag(sql`t.is_active`, search.isActive)
      .flag(sql`t.is_banned`, search.isBanned);
    const orderBy = search.order ? ORDERS[search.order] : undefined;
    return versions.list(this.prisma, { where: filters.conditions, orderBy }, request, this.config);
  }

  byIds(ids: readonly number[]): Promise<Map<number, ArtistVersionRecord>> {
    return versions.byIds(this.prisma, ids);
  }
}
