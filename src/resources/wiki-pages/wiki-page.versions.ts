/** The history of wiki pages, as it is listed. */
import type { Config } from "../../config.js";
import { type PrismaClient, sql } from "../../database/client.js";
import { Filters, type Page } from "../../search/listing.js";
import type { PageRequest } from "../shared/paging.js";
import { ReadModel } from "../shared/read-model.js";
import type { WikiPageState } from "./wiki-page.state.js";

export interface WikiPageVersionRecord extends WikiPageState {
  id: number;
  wikiPageId: number;
  version: number;
  updaterId: number;
  updaterName: string;
  createdAt: Date;
  updatedAt: Date;
}

export interface WikiPageVersionSearch {
  id?: number[] | null;
  wikiPageId?: number[] | null;
  updaterId?: number[] | null;
  updaterName?: string | null;
}

const versions = new ReadModel<WikiPageVersionRecord>(
  sql`t.id, t.wiki_page_id AS "wikiPageId", t.version, t.updater_id AS "updaterId", u.name AS "updaterName",
  t.title, t.body, t.other_names AS "otherNames", t.is_locked AS "isLocked", t.is_deleted AS "isDeleted",
  t.created_at AS "createdAt", t.updated_at AS "updatedAt"`,
  sql`wiki_page_versions AS t JOIN users u ON u.id = t.updater_id`,
);

export class WikiPageVersionService {
  constructor(
    private readonly prisma: PrismaClient,
    private readonly config: Config,
  ) {}

  /** Newest first. @throws BoardError 424 for too deep a page */
  search(search: WikiPageVersionSearch, request: PageRequest): Promise<Page<WikiPageVersionRecord>> {
    const filters = new Filters()
      .ids(sql`t.id`, search.id)
      .ids(sql`t.wiki_page_id`, search.wikiPageId)
      .ids(sql`t.updater_id`, search.updaterId)
      .userName(sql`t.updater_id`, search.updaterName);
    return versions.list(this.prisma, { where: filters.conditions }, request, this.config);
  }

  byIds(ids: readonly number[]): Promise<Map<number, WikiPageVersionRecord>> {
    return versions.byIds(this.prisma, ids);
  }
}
