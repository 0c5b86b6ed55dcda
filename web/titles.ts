/** Texts that the pages and their server write alike: titles, in the browser's tab and in link previews, and errors. */

/** A tag as words. */
export const words = (tag: string): string => tag.replaceAll("_", " ");

/** A reason of the table as a sentence: with a capital letter and a full stop, and its first word, often a field, as words. */
export function sentence(reason: string): string {
  const [first = ""] = reason.split(" ", 1);
  const text = words(first) + reason.slice(first.length);
  return reason === "" ? "" : `${text[0]?.toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}

const MAX_NAME = 120;

/** The accessible name of a picture: its tags as words, of many the first ones. */
export function pictureName(tagString: string): string {
  const tags = words(tagString.split(" ").join(", "));
  return tags.length > MAX_NAME ? `${tags.slice(0, MAX_NAME).replace(/,[^,]*$/, "")} …` : tags;
}

interface TitledPost {
  id: number;
  tagStringArtist: string;
  tagStringCharacter: string;
  tagStringCopyright: string;
}

const listed = (tags: string, most: number): string => {
  const names = tags.split(" ").filter(Boolean).map(words);
  return names.slice(0, most).join(", ") + (names.length > most ? " and others" : "");
};

/** "hero (other game) from some game by somebody"; "Post 12" without such tags. */
export function postTitle(post: TitledPost): string {
  const who = listed(post.tagStringCharacter, 3);
  const from = listed(post.tagStringCopyright, 2);
  const by = listed(post.tagStringArtist, 2);
  const parts = [who, from && (who ? `from ${from}` : from), by && `by ${by}`].filter(Boolean);
  return parts.length > 0 ? parts.join(" ") : `Post ${post.id}`;
}

/** "Page 2", "Before post 12". */
export const pageTitle = (page: string): string => page.replace(/^b/, "Before post ").replace(/^\d/, "Page $&");

export const galleryTitle = (tags: string, page: string): string =>
  (tags.trim() || "Posts") + (page === "1" ? "" : `, ${pageTitle(page).toLowerCase()}`);

/** The whole of it. */
export const fullTitle = (title: string, board: string): string => (title ? `${title} · ${board}` : board);
