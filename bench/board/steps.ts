/** The tables of a generated board with their rows, ordered so that counts are complete before they are written. */
import { commentRows, commentTimes, commentVoteRows, planComments } from "./comments.js";
import type { Rows } from "./copy.js";
import { favoriteRows, voteRows } from "./favorites.js";
import { fileRows } from "./files.js";
import { noteRows, noteTimes, noteVersionRows, planNotes } from "./notes.js";
import type { Plan } from "./plan.js";
import { poolRows, poolVersionRows } from "./pools.js";
import { PostMaker } from "./posts.js";
import { tagRows } from "./vocabulary.js";

/** Tables that must be empty. */
export const EMPTY = [
  "media_files",
  "posts",
  "post_versions",
  "tags",
  "favorites",
  "post_votes",
  "comments",
  "comment_votes",
  "notes",
  "note_versions",
  "pools",
  "pool_versions",
] as const;

/** Tables that are filled. */
export const FILLED = [...EMPTY, "users"] as const;

/** Tables that searches don't use. */
const UNSEARCHED: readonly (typeof FILLED)[number][] = [
  "post_versions",
  "post_votes",
  "comments",
  "comment_votes",
  "notes",
  "note_versions",
  "pool_versions",
];

/** Each table with its rows, which are generated while they are written, in this order. */
export function stepsOf(plan: Plan): [table: (typeof FILLED)[number], rows: Rows][] {
  const comments = planComments(plan);
  const notes = planNotes(plan);
  const posts = new PostMaker(plan, { ...commentTimes(plan, comments), noted: noteTimes(plan, notes) });
  const founded = plan.calendar.text(0);
  const steps: [table: (typeof FILLED)[number], rows: Rows][] = [
    ["media_files", fileRows(plan)],
    ["posts", posts.rows()],
    ["post_versions", posts.versionRows()],
    ["tags", tagRows(plan.vocabulary.words, posts.counts, founded)],
    ["favorites", favoriteRows(plan)],
    ["post_votes", voteRows(plan)],
    ["comments", commentRows(plan, comments)],
    ["comment_votes", commentVoteRows(plan, comments)],
    ["notes", noteRows(plan, notes)],
    ["note_versions", noteVersionRows(plan, notes)],
    ["pools", poolRows(plan)],
    ["pool_versions", poolVersionRows(plan)],
    ["users", plan.crowd.rows(plan.calendar)],
  ];
  return plan.contents === "everything" ? steps : steps.filter(([table]) => !UNSEARCHED.includes(table));
}
