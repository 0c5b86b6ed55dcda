/** The loaders of one request: whatever many records need is fetched in one statement. */
import DataLoader from "dataloader";
import type { Board } from "../src/board.js";
import type { NoteRecord } from "../src/services/note.service.js";
import type { NoteVersionRecord } from "../src/services/note.versions.js";
import type { PostRecord } from "../src/services/post.records.js";
import type { PostVersionRecord } from "../src/services/post.versions.js";
import type { TagRecord } from "../src/services/tag.service.js";
import type { UploadRecord } from "../src/services/upload.service.js";
import type { UserActivity, UserRecord } from "../src/services/user.service.js";

/** Records by id; null for an unknown one. */
function byId<T>(fetch: (ids: readonly number[]) => Promise<Map<number, T>>): DataLoader<number, T | null> {
  return new DataLoader(async (ids) => {
    const found = await fetch(ids);
    return ids.map((id) => found.get(id) ?? null);
  });
}

/** The tags whose ids `idsOf` finds in each record, all records' tags in one statement, sorted by name. */
function tagsOf<T extends object>(board: Board, idsOf: (record: T) => readonly number[]): DataLoader<T, TagRecord[]> {
  return new DataLoader(async (records) => {
    const tags = await board.tags.byIds([...new Set(records.flatMap(idsOf))]);
    return records.map((record) =>
      idsOf(record)
        .flatMap((id) => tags.get(id) ?? [])
        .sort((a, b) => (a.name < b.name ? -1 : 1)),
    );
  });
}

export interface Loaders {
  user: DataLoader<number, UserRecord | null>;
  userActivity: DataLoader<number, UserActivity | null>;
  note: DataLoader<number, NoteRecord | null>;
  noteVersion: DataLoader<number, NoteVersionRecord | null>;
  post: DataLoader<number, PostRecord | null>;
  postTags: DataLoader<PostRecord, TagRecord[]>;
  upload: DataLoader<number, UploadRecord | null>;
  postVersion: DataLoader<number, PostVersionRecord | null>;
  /** the tags of a version, of the change that it records, and of its post today */
  postVersionTags: DataLoader<PostVersionRecord, TagRecord[]>;
  tag: DataLoader<number, TagRecord | null>;
}

const idsOfVersion = (version: PostVersionRecord): number[] => [
  ...new Set([...version.tagIds, ...version.removedTagIds]),
];

export const createLoaders = (board: Board): Loaders => ({
  user: byId((ids) => board.users.byIds(ids)),
  userActivity: byId((ids) => board.users.activities(ids)),
  note: byId((ids) => board.notes.byIds(ids)),
  noteVersion: byId((ids) => board.noteVersions.byIds(ids)),
  post: byId((ids) => board.posts.byIds(ids)),
  postTags: tagsOf(board, (post) => post.tagIds),
  upload: byId((ids) => board.uploads.byIds(ids)),
  postVersion: byId((ids) => board.postVersions.byIds(ids)),
  postVersionTags: tagsOf(board, idsOfVersion),
  tag: byId((ids) => board.tags.byIds(ids)),
});
