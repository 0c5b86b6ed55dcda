/** The history of pools, as it is listed. */
import type { Config } from "../../config.js";
import { type PrismaClient, sql } from "../../database/client.js";
import { Filters, type Page } from "../../search/listing.js";
import type { PageRequest } from "../shared/paging.js";
import type { PoolCategory } from "./pool.records.js";
import { ReadModel } from "../shared/read-model.js";

export interface PoolVersionRecord {
  id: number;
  poolId: number;
  version: number;
  updaterId: number;
  updaterName: string;
  postIds: number[];
  addedPostIds: number[];
  removedPostIds: number[];
  name: string;
  nameChanged: boolean;
  description: string;
  descriptionChanged: boolean;
  category: PoolCategory;
  isActive: boolean;
  isDeleted: boolean;
  createdAt: Date;
  updatedAt: Date;
}

export interface PoolVersionSearch {
  id?: number[] | null;
  poolId?: number[] | null;
  updaterId?: number[] | null;
  updaterName?: string | null;
}

const versions = new ReadModel<PoolVersionRecord>(
  sql`t.id, t.pool_id AS "poolId", t.version, t.updater_id AS "updaterId", u.name AS "updaterName",
  t.post_ids AS "postIds", t.added_post_ids AS "addedPostIds", t.removed_post_ids AS "removedPostIds",
  t.name, t.name_changed AS "nameChanged", t.description, t.description_changed AS "descriptionChanged", t.category,
  t.is_active AS "isActive", t.is_deleted AS "isDeleted", t.created_at AS "createdAt", t.updated_at AS "updatedAt"`,
  sql`pool_versions AS t JOIN users u ON u.id = t.updater_id`,
);

export class PoolVersionService {
  constructor(
    private readonly prisma: PrismaClient,
    private readonly config: Config,
  ) {}

  /** @throws BoardError 424 for too deep a page */
  search(search: PoolVersionSearch, request: PageRequest): Promise<Page<PoolVersionRecord>> {
    const filters = new Filters()
      .ids(sql`t.id`, search.id)
      .ids(sql`t.pool_id`, search.poolId)
      .ids(sql`t.updater_id`, search.updaterId)
      .userName(sql`t.updater_id`, search.updaterName);
    return versions.list(this.prisma, { where: filters.conditions }, request, this.config);
  }

  byIds(ids: readonly number[]): Promise<Map<number, PoolVersionRecord>> {
    return versions.byIds(this.prisma, ids);
  }
}
