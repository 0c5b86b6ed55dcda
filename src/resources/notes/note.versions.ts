/** The history of notes, as it is listed. */
import type { Config } from "../../config.js";
import { type PrismaClient, sql } from "../../database/client.js";
import { Filters, type Page } from "../../search/listing.js";
import type { PageRequest } from "../shared/paging.js";
import { ReadModel } from "../shared/read-model.js";

export interface NoteVersionRecord {
  id: number;
  noteId: number;
  postId: number;
  version: number;
  updaterId: number;
  updaterName: string;
  x: number;
  y: number;
  width: number;
  height: number;
  body: string;
  isActive: boolean;
  createdAt: Date;
  updatedAt: Date;
}

export interface NoteVersionSearch {
  id?: number[] | null;
  noteId?: number[] | null;
  postId?: number[] | null;
  updaterId?: number[] | null;
  updaterName?: string | null;
}

const versions = new ReadModel<NoteVersionRecord>(
  sql`t.id, t.note_id AS "noteId", t.post_id AS "postId", t.version, t.updater_id AS "updaterId",
  u.name AS "updaterName", t.x, t.y, t.width, t.height, t.body, t.is_active AS "isActive",
  t.created_at AS "createdAt", t.updated_at AS "updatedAt"`,
  sql`note_versions AS t JOIN users u ON u.id = t.updater_id`,
);

export class NoteVersionService {
  constructor(
    private readonly prisma: PrismaClient,
    private readonly config: Config,
  ) {}

  search(search: NoteVersionSearch, request: PageRequest): Promise<Page<NoteVersionRecord>> {
    const filters = new Filters()
      .ids(sql`t.id`, search.id)
      .ids(sql`t.note_id`, search.noteId)
      .ids(sql`t.post_id`, search.postId)
      .ids(sql`t.updater_id`, search.updaterId)
      .userName(sql`t.updater_id`, search.updaterName);
    return versions.list(this.prisma, { where: filters.conditions }, request, this.config);
  }

  byIds(ids: readonly number[]): Promise<Map<number, NoteVersionRecord>> {
    return versions.byIds(this.prisma, ids);
  }

  /** The newest versions of each note, newest first. @param limit most versions of one note */
  newestOfNotes(noteIds: readonly number[], limit: number): Promise<NoteVersionRecord[]> {
    return versions.newestOfEach(this.prisma, sql`t.note_id`, noteIds, limit);
  }
}
