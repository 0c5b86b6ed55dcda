/** Records without a page of their own: browsers are redirected to the page that shows them. */
import type { Document } from "../lib/document.js";
import { idOf } from "../histories.js";
import { poolSearch, postUrl, searchUrl } from "../routes.js";
import * as documents from "./__generated__/documents.js";

interface Elsewhere {
  /** pattern of the path */
  route: string;
  /** asks for the record */
  document: Document<unknown, never>;
  /** URL of the page that shows the record */
  url: (answer: unknown) => string;
}

/** A kind of records, found by a document. */
const found = <Answer>(
  route: string,
  document: Document<Answer, { id: number }>,
  url: (answer: { [Name in keyof Answer]: NonNullable<Answer[Name]> }) => string,
): Elsewhere => ({ route, document, url: url as Elsewhere["url"] });

const PLACES: readonly Elsewhere[] = [
  found(
    "/comments/:id",
    documents.CommentPlaceDocument,
    ({ comment }) => `${postUrl(comment.postId)}#comment-${comment.id}`,
  ),
  found("/notes/:id", documents.NotePlaceDocument, ({ note }) => postUrl(note.postId)),
  found("/pools/:id", documents.PoolPlaceDocument, ({ pool }) => searchUrl(poolSearch(pool.id))),
];

/** URL of the page that shows the record at a path; undefined if the path is not of such a record. */
export function elsewhereOf(path: string): (Elsewhere & { id: number }) | undefined {
  const [, start, id] = /^(\/[a-z]+\/)(\d+)$/.exec(path) ?? [];
  const place = PLACES.find(({ route }) => route === `${start}:id`);
  return place && { ...place, id: idOf(id) };
}
