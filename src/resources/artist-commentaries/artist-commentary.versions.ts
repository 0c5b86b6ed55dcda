/** The history of artists' commentaries, as it is listed. */
import type { Config } from "../../config.js";
import { type PrismaClient, sql } from "../../database/client.js";
import { Filters, type Page } from "../../search/listing.js";
import type { CommentaryTexts } from "./artist-commentary.service.js";
import type { PageRequest } from "../shared/paging.js";
import { ReadModel } from "../shared/read-model.js";

export interface ArtistCommentaryVersionRecord extends CommentaryTexts {
  id: number;
  artistCommentaryId: number;
  postId: number;
  version: number;
  updaterId: number;
  updaterName: string;
  createdAt: Date;
  updatedAt: Date;
}

export interface ArtistCommentaryVersionSearch {
  id?: number[] | null;
  postId?: number[] | null;
  updaterId?: number[] | null;
  updaterName?: string | null;
}

const versions = new ReadModel<ArtistCommentaryVersionRecord>(
  sql`t.id, t.artist_commentary_id AS "artistCommentaryId", t.post_id AS "postId", t.version,
  t.updater_id AS "updaterId", u.name AS "updaterName", t.original_title AS "originalTitle",
  t.original_description AS "originalDescription", t.translated_title AS "translatedTitle",
  t.translated_description AS "translatedDescription", t.created_at AS "createdAt", t.updated_at AS "updatedAt"`,
  sql`artist_commentary_versions AS t JOIN users u ON u.id = t.updater_id`,
);

export class ArtistCommentaryVersionService {
  constructor(
    private readonly prisma: PrismaClient,
    private readonly config: Config,
  ) {}

  /** @throws BoardError 424 for too deep a page */
  search(search: ArtistCommentaryVersionSearch, request: PageRequest): Promise<Page<ArtistCommentaryVersionRecord>> {
    const filters = new Filters()
      .ids(sql`t.id`, search.id)
      .ids(sql`t.post_id`, search.postId)
      .ids(sql`t.updater_id`, search.updaterId)
      .userName(sql`t.updater_id`, search.updaterName);
    return versions.list(this.prisma, { where: filters.conditions }, request, this.config);
  }

  byIds(ids: readonly number[]): Promise<Map<number, ArtistCommentaryVersionRecord>> {
    return versions.byIds(this.prisma, ids);
  }
}
