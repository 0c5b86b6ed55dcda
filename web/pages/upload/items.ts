/** The items of an upload: files and URLs with what was entered about them, two uploaded at a time. */
import { batch, computed, effect, type Signal, signal } from "@preact/signals";
import {
  type DraftItem,
  draftName,
  draftOfTab,
  fileKey,
  keepDraft,
  readDraft,
  type Texts,
} from "../../lib/upload-draft.js";
import { isOffline } from "../../lib/connection.js";
import { Problem, problemIn } from "../../lib/errors.js";
import { sentence } from "../../titles.js";
import { ask, change } from "../../lib/graphql.js";
import { parentIn } from "../../lib/integers.js";
import { md5Of } from "../../lib/md5.js";
import { send } from "../../lib/progress.js";
import type { RatingName } from "../../lib/rating.js";
import { bytes } from "../../lib/time.js";
import { FindFileDocument, UploadDocument } from "./__generated__/upload.js";

export type State =
  /** not posted yet */
  | { is: "ready" }
  /** queued */
  | { is: "waiting" }
  /** `part` of it was sent, from 0 to 1: a signal, since it changes often; null once the board has all of it, and makes the post, which nothing would stop */
  | { is: "sending"; part: Signal<number> | null }
  | { is: "posted"; postId: number }
  | { is: "duplicate"; postId: number }
  /** `isFinal` if a retry would be refused, too */
  | { is: "refused"; problem: Problem; isFinal?: boolean };

export interface Item extends Texts {
  key: number;
  /** null for one that the board downloads from its source */
  file: File | null;
  /** object URL of its preview */
  picture: string | null;
  md5: string | null;
  state: State;
}

export const items = signal<readonly Item[]>([]);
/** What was entered for all items. */
export const common = signal<{ tags: string; rating: RatingName | null }>({ tags: "", rating: null });
/** Draft items whose files have to be chosen again, since browsers can't store files. */
export const absent = signal<readonly DraftItem[]>([]);

const AT_ONCE = 2;
const NOTHING: Texts = { tags: "", rating: null, source: "", parent: "" };
const READY: State = { is: "ready" };
const WAITING: State = { is: "waiting" };

let last = 0;
const underWay = new Map<number, AbortController>();

/** Changes some fields of an item. */
export const alter = (key: number, changed: Partial<Omit<Item, "key">>): void => {
  items.value = items.value.map((item) => (item.key === key ? { ...item, ...changed } : item));
};
const itemOf = (key: number): Item | undefined => items.value.find((item) => item.key === key);

/** Whether it can be posted, or posted again. */
export const isOpen = ({ state }: Item): boolean => state.is === "ready" || (state.is === "refused" && !state.isFinal);
export const isUnderWay = ({ state }: Item): boolean => state.is === "waiting" || state.is === "sending";
export const isWithBoard = ({ state }: Item): boolean => state.is === "sending" && state.part === null;
const isDone = ({ state }: Item): boolean => state.is === "posted" || state.is === "duplicate";
const isRefused = ({ state }: Item): boolean => state.is === "refused" && state.isFinal === true;

const isBusy = computed(() => items.value.some(isUnderWay));
const warn = (event: BeforeUnloadEvent) => event.preventDefault();
/** Asks before uploads are ended, on whatever page of the board. */
effect(() => {
  if (!isBusy.value) return undefined;
  addEventListener("beforeunload", warn);
  return () => removeEventListener("beforeunload", warn);
});

/** The file name or URL of an item. */
export const nameOf = ({ file, source }: Pick<Item, "file" | "source">): string => file?.name ?? source;

const draftOf = ({ md5, tags, rating, source, parent }: Omit<DraftItem, "file">): Omit<DraftItem, "file"> => ({
  md5,
  tags,
  rating,
  source,
  parent,
});

let isTakenUp = false;

/** Restores the draft of this tab, once a visit. */
export async function takeUp(): Promise<void> {
  if (isTakenUp) return;
  isTakenUp = true;
  const key = await draftOfTab();
  const draft = readDraft(key);
  batch(() => {
    common.value = { tags: draft.tags, rating: draft.rating };
    absent.value = draft.items.filter(({ file }) => file !== null);
    for (const { file, ...texts } of draft.items) if (file === null) put({ ...texts, file: null, picture: null });
  });
  for (const each of absent.value) void findPosted(each);
  effect(() => {
    const kept = items.value
      .filter((item) => !isDone(item) && !isRefused(item))
      .map(({ file, ...item }) => ({ ...draftOf(item), file: file && fileKey(file) }));
    keepDraft(key, { ...common.value, items: [...kept, ...absent.value] });
  });
}

/** A file whose upload arrived, although the page was left before the response, is not chosen again. */
async function findPosted(draft: DraftItem): Promise<void> {
  if (draft.md5 === null) return;
  try {
    const { posts } = await ask(FindFileDocument, { md5: draft.md5 });
    const [found] = posts.nodes;
    if (!found || !absent.value.includes(draft)) return;
    batch(() => {
      absent.value = absent.value.filter((each) => each !== draft);
      const named = { ...NOTHING, source: draftName(draft), file: null, picture: null };
      put(named, { is: "duplicate", postId: found.id });
    });
  } catch {
    // once it is chosen, the board is asked again
  }
}

function put(item: Texts & Pick<Item, "file" | "picture">, state: State = READY): Item {
  const made = { ...item, key: (last += 1), md5: null, state };
  items.value = [...items.value, made];
  return made;
}

const textsOf = (file: File): Texts => {
  const key = fileKey(file);
  const found = absent.value.find((each) => each.file === key);
  if (!found) return NOTHING;
  absent.value = absent.value.filter((each) => each !== found);
  const { file: _, md5: __, ...texts } = found;
  return texts;
};

/** What the board accepts. */
export interface Accepted {
  /** extensions */
  fileTypes: readonly string[];
  /** maximum size of a file in bytes */
  limit: number;
}

/** The formats of a file by its name and by the type that the browser reports; empty if both are unknown. */
function formatsOf({ name, type }: File): string[] {
  const extension = /\.([^.]+)$/.exec(name)?.[1] ?? "";
  return [extension.toLowerCase(), type.replace(/^.*\//, "")]
    .filter((format) => format !== "")
    .map((format) => (format === "jpeg" ? "jpg" : format));
}

/** Why a file would be refused, before it is sent; null if it may be accepted. */
function unacceptable(file: File, { fileTypes, limit }: Accepted): string | null {
  const formats = formatsOf(file);
  if (formats.length > 0 && !formats.some((format) => fileTypes.includes(format)))
    return `The board accepts ${fileTypes.join(", ")}; this is another type of file.`;
  return file.size > limit ? `The file is larger than ${bytes(limit)}, the limit of the board.` : null;
}

/** Adds files, except those already in the list. */
export function addFiles(files: Iterable<File>, accepted: Accepted): void {
  const there = new Set(items.value.flatMap(({ file }) => (file ? fileKey(file) : [])));
  batch(() => {
    for (const file of files) {
      if (there.has(fileKey(file))) continue;
      const reason = unacceptable(file, accepted);
      const state: State = reason ? { is: "refused", problem: new Problem(reason, ""), isFinal: true } : READY;
      const item = put({ ...textsOf(file), file, picture: URL.createObjectURL(file) }, state);
      if (item.state === READY) looking = looking.then(() => look(item.key, file));
    }
  });
}

const isWebAddress = (text: string): boolean => /^https?:\/\/\S+$/i.test(text) && URL.canParse(text);

/** Adds the URLs of a text, one on each line, for the board to download. @returns whether it has any, and nothing else but comments */
export function addUrls(text: string): boolean {
  const lines = text.split(/[\r\n]+/).map((line) => line.trim());
  const sources = lines.filter((line) => line !== "" && !line.startsWith("#")); // as `text/uri-list` is defined
  if (sources.length === 0 || !sources.every(isWebAddress)) return false;
  for (const source of sources)
    if (!items.value.some((item) => item.file === null && item.source === source && !isDone(item)))
      put({ ...NOTHING, source, file: null, picture: null });
  return true;
}

let looking: Promise<void> = Promise.resolve();

/** Checks whether the board already has the file; if the check fails, the upload will report it. */
async function look(key: number, file: File): Promise<void> {
  try {
    const md5 = await md5Of(file);
    alter(key, { md5 });
    const { posts } = await ask(FindFileDocument, { md5 });
    const [found] = posts.nodes;
    const item = itemOf(key);
    if (found && item && isOpen(item)) alter(key, { state: { is: "duplicate", postId: found.id } });
  } catch {
    // the upload will report it
  }
}

/** Releases an item's preview. */
export function forgetPicture(key: number): void {
  const { picture } = itemOf(key) ?? {};
  if (picture) URL.revokeObjectURL(picture);
  alter(key, { picture: null });
}

/** Removes an item, and cancels its upload. */
export function remove(key: number): void {
  underWay.get(key)?.abort();
  forgetPicture(key);
  items.value = items.value.filter((item) => item.key !== key);
}

/** Removes posted items and duplicates. */
export const clear = (): void => items.value.filter(isDone).forEach(({ key }) => remove(key));

/** Posts all items that can be posted, including refused ones that can be retried. */
export function postAll(): void {
  for (const item of items.value.filter(isOpen)) alter(item.key, { state: WAITING });
  next();
}

export function post(key: number): void {
  alter(key, { state: WAITING });
  next();
}

function next(): void {
  const waiting = items.value.filter(({ state }) => state.is === "waiting");
  for (const item of waiting.slice(0, AT_ONCE - underWay.size)) void upload(item);
}

isOffline.subscribe((is) => is || next());

const inputOf = ({ file, tags, rating, source, parent, md5 }: Item) => ({
  file,
  source: source.trim() || null,
  tagString: `${common.value.tags} ${tags}`.trim(),
  rating: rating ?? common.value.rating,
  parentId: parentIn(parent),
  md5Confirmation: md5,
});

/** Such a file looks to the browser like a failing connection. @throws Problem */
function unreadable(): never {
  throw new Problem("This file can't be read: it was changed or removed since it was chosen, or is a folder.", "");
}

async function upload(item: Item): Promise<void> {
  const { key, file } = item;
  const aborted = new AbortController();
  underWay.set(key, aborted);
  const part = signal(0);
  const onProgress = (now: number) => {
    part.value = now;
    if (now === 1) alter(key, { state: { is: "sending", part: null } });
  };
  alter(key, { state: { is: "sending", part: file && part } });
  try {
    await file?.slice(0, 1).arrayBuffer().catch(unreadable);
    const variables = { input: inputOf(item) };
    const { createUpload } = file
      ? await send(UploadDocument, variables, onProgress, aborted.signal)
      : await change(UploadDocument, variables);
    const made = createUpload?.upload.post;
    if (!made) throw new Problem(sentence("the post cannot be shown"), "");
    const picture = item.picture ?? made.thumbnail?.url ?? null;
    alter(key, { state: { is: "posted", postId: made.id }, picture });
  } catch (error) {
    refuse(key, error);
  } finally {
    underWay.delete(key);
    if (itemOf(key)?.state.is !== "waiting") next();
  }
}

/**
 * A failure that concerns the other items as well (login, limits, no answer) stops them until the next attempt. Offline, all wait
 * for the connection.
 */
function refuse(key: number, error: unknown): void {
  if (!itemOf(key)) return; // it was removed, which cancelled it
  const problem = problemIn(error);
  if (problem.code === "NETWORK" && isOffline.value) return alter(key, { state: WAITING });
  const { postId } = problem;
  alter(key, { state: postId === undefined ? { is: "refused", problem } : { is: "duplicate", postId } });
  if (!problem.needsLogin && problem.retryAfter === undefined && problem.code !== "NETWORK") return;
  for (const item of items.value) if (item.state.is === "waiting") alter(item.key, { state: READY });
}
