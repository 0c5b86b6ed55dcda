/** Records without a page of their own, which browsers are sent to where they are shown. */
import type { Document } from "../lib/document.js";
import { poolSearch, postUrl, searchUrl } from "../routes.js";
import * as documents from "./__generated__/documents.js";

interface Elsewhere {
  path: RegExp;
  /** asks for the record */
  document: Document<unknown, never>;
  /** where the record is shown that was found */
  url: (answer: unknown) => string;
}

/** A place of records, found by a document. */
const found = <Answer>(
  path: RegExp,
  document: Document<Answer, { id: number }>,
  url: (answer: { [Name in keyof Answer]: NonNullable<Answer[Name]> }) => string,
): Elsewhere => ({ path, document, url: url as Elsewhere["url"] });

const PLACES: readonly Elsewhere[] = [
  found(
    /^\/comments\/(\d{1,9})$/,
    documents.CommentPlaceDocument,
    ({ comment }) => `${postUrl(comment.postId)}#comment-${comment.id}`,
  ),
  found(/^\/notes\/(\d{1,9})$/, documents.NotePlaceDocument, ({ note }) => postUrl(note.postId)),
  found(/^\/pools\/(\d{1,9})$/, documents.PoolPlaceDocument, ({ pool }) => searchUrl(poolSearch(pool.id))),
];

/** Where the record at an address is shown; undefined for addresses of none. */
export function elsewhereOf(path: string): (Omit<Elsewhere, "path"> & { id: number }) | undefined {
  for (const { path: pattern, document, url } of PLACES) {
    const id = pattern.exec(path)?.[1];
    if (id) return { document, url, id: Number(id) };
  }
  return undefined;
}
