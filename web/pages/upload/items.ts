/** What is to be uploaded: files and addresses with what is said of them, two of them under way at a time. */
import { batch, effect, signal } from "@preact/signals";
import { type DraftItem, fileKey, keepDraft, readDraft, type Texts } from "../../lib/upload-draft.js";
import { Problem, problemIn, sentence } from "../../lib/errors.js";
import { ask, change, send } from "../../lib/graphql.js";
import { md5Of } from "../../lib/md5.js";
import type { RatingName } from "../../lib/rating.js";
import { bytes } from "../../lib/time.js";
import { FindFileDocument, UploadDocument } from "./__generated__/upload.js";

export type State =
  /** it waits for somebody to post it */
  | { is: "ready" }
  /** its turn comes */
  | { is: "waiting" }
  /** `part` of it was sent, from 0 to 1 */
  | { is: "sending"; part: number }
  | { is: "posted"; postId: number }
  | { is: "duplicate"; postId: number }
  /** `isFinal` where another try would be refused, too */
  | { is: "refused"; problem: Problem; isFinal?: boolean };

export interface Item extends Texts {
  key: number;
  /** null for one that the board downloads from its source */
  file: File | null;
  /** address of its picture, here */
  picture: string | null;
  md5: string | null;
  state: State;
}

export const items = signal<readonly Item[]>([]);
/** What is said of all. */
export const common = signal<{ tags: string; rating: RatingName | null }>({ tags: "", rating: null });
/** What is said of files that have to be chosen again, since a browser keeps none. */
export const absent = signal<readonly DraftItem[]>([]);

const AT_ONCE = 2;
const NOTHING: Texts = { tags: "", rating: null, source: "", parent: "" };
const READY: State = { is: "ready" };

let last = 0;
const underWay = new Map<number, AbortController>();

/** Changes something of an item. */
export const alter = (key: number, changed: Partial<Omit<Item, "key">>): void => {
  items.value = items.value.map((item) => (item.key === key ? { ...item, ...changed } : item));
};
const itemOf = (key: number): Item | undefined => items.value.find((item) => item.key === key);

/** Whether it can be posted, now or again. */
export const isOpen = ({ state }: Item): boolean => state.is === "ready" || (state.is === "refused" && !state.isFinal);
export const isUnderWay = ({ state }: Item): boolean => state.is === "waiting" || state.is === "sending";
const isDone = ({ state }: Item): boolean => state.is === "posted" || state.is === "duplicate";
const isRefused = ({ state }: Item): boolean => state.is === "refused" && state.isFinal === true;

/** What the item was called by who chose it. */
export const nameOf = ({ file, source }: Pick<Item, "file" | "source">): string => file?.name ?? source;

let owner: number | null = null;

/** Takes up the draft of a user, once a visit. */
export function takeUp(userId: number): void {
  if (owner === userId) return;
  owner = userId;
  const draft = readDraft(localStorage, userId);
  batch(() => {
    common.value = { tags: draft.tags, rating: draft.rating };
    absent.value = draft.items.filter(({ file }) => file !== null);
    for (const { file, ...texts } of draft.items) if (file === null) put({ ...texts, file: null, picture: null });
  });
  effect(() => {
    const kept = items.value
      .filter((item) => !isDone(item) && !isRefused(item))
      .map(({ file, tags, rating, source, parent }) => ({ file: file && fileKey(file), tags, rating, source, parent }));
    keepDraft(localStorage, userId, { ...common.value, items: [...kept, ...absent.value] });
  });
}

function put(item: Texts & Pick<Item, "file" | "picture">, state = READY): Item {
  const made = { ...item, key: (last += 1), md5: null, state };
  items.value = [...items.value, made];
  return made;
}

const textsOf = (file: File): Texts => {
  const key = fileKey(file);
  const found = absent.value.find((each) => each.file === key);
  if (!found) return NOTHING;
  absent.value = absent.value.filter((each) => each !== found);
  const { file: _, ...texts } = found;
  return texts;
};

/** What the board takes. */
export interface Accepted {
  /** extensions */
  fileTypes: readonly string[];
  /** bytes of a file */
  limit: number;
}

/** The formats that a file may have by its name and by what the browser takes it for; none where neither tells. */
function formatsOf({ name, type }: File): string[] {
  const extension = /\.([^.]+)$/.exec(name)?.[1] ?? "";
  return [extension.toLowerCase(), type.replace(/^.*\//, "")]
    .filter((format) => format !== "")
    .map((format) => (format === "jpeg" ? "jpg" : format));
}

/** Why a file need not even be sent. */
function unacceptable(file: File, { fileTypes, limit }: Accepted): string | null {
  const formats = formatsOf(file);
  if (formats.length > 0 && !formats.some((format) => fileTypes.includes(format)))
    return `The board takes ${fileTypes.join(", ")}, and this is another kind of file.`;
  return file.size > limit ? `It is larger than the ${bytes(limit)} that the board takes.` : null;
}

/** Adds files, but those that are there already. */
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

/** Adds an address that the board is to download. @returns whether it is one */
export function addUrl(text: string): boolean {
  const source = text.trim();
  if (!/^https?:\/\/\S+$/i.test(source) || !URL.canParse(source)) return false;
  if (!items.value.some((item) => item.file === null && item.source === source && !isDone(item)))
    put({ ...NOTHING, source, file: null, picture: null });
  return true;
}

let looking: Promise<void> = Promise.resolve();

/** Checks whether the board has the file already; if the check fails, the upload finds out. */
async function look(key: number, file: File): Promise<void> {
  try {
    const md5 = await md5Of(file);
    alter(key, { md5 });
    const { posts } = await ask(FindFileDocument, { md5 });
    const [found] = posts.nodes;
    const item = itemOf(key);
    if (found && item && isOpen(item)) alter(key, { state: { is: "duplicate", postId: found.id } });
  } catch {
    // as it was
  }
}

/** Lets go of an item's picture. */
export function forgetPicture(key: number): void {
  const { picture } = itemOf(key) ?? {};
  if (picture) URL.revokeObjectURL(picture);
  alter(key, { picture: null });
}

/** Takes an item away; what is under way is given up. */
export function remove(key: number): void {
  underWay.get(key)?.abort();
  forgetPicture(key);
  items.value = items.value.filter((item) => item.key !== key);
}

/** Takes away what was posted, or is there already. */
export const clear = (): void => items.value.filter(isDone).forEach(({ key }) => remove(key));

/** Posts what is ready, and has another try at what was refused. */
export function postAll(): void {
  for (const item of items.value.filter(isOpen)) alter(item.key, { state: { is: "waiting" } });
  next();
}

/** Posts one. */
export function post(key: number): void {
  alter(key, { state: { is: "waiting" } });
  next();
}

function next(): void {
  const waiting = items.value.filter(({ state }) => state.is === "waiting");
  for (const item of waiting.slice(0, AT_ONCE - underWay.size)) void upload(item);
}

const inputOf = ({ file, tags, rating, source, parent, md5 }: Item) => ({
  file,
  source: source.trim() || null,
  tagString: `${common.value.tags} ${tags}`.trim(),
  rating: rating ?? common.value.rating,
  parentId: /^\d+$/.test(parent.trim()) ? Number(parent) : null,
  md5Confirmation: md5,
});

async function upload(item: Item): Promise<void> {
  const { key, file } = item;
  const aborted = new AbortController();
  underWay.set(key, aborted);
  const onProgress = (part: number) => alter(key, { state: { is: "sending", part } });
  onProgress(0);
  try {
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
    next();
  }
}

/** What concerns the others as well (login, limits, no connection) has them wait until somebody tries again. */
function refuse(key: number, error: unknown): void {
  const problem = problemIn(error);
  const { postId } = problem;
  alter(key, { state: postId === undefined ? { is: "refused", problem } : { is: "duplicate", postId } });
  if (!problem.needsLogin && problem.retryAfter === undefined && problem.code !== "NETWORK") return;
  for (const item of items.value) if (item.state.is === "waiting") alter(item.key, { state: READY });
}
