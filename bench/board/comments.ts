/** Comments and votes on them. Most posts have none, a few have comments for years. */
import { BUMPING_COMMENTS } from "../../src/resources/comments/comment.records.js";
import type { Rows } from "./copy.js";
import { Events } from "./events.js";
import { chanceOf, type Plan } from "./plan.js";
import type { Random } from "./random.js";
import { sentences } from "./texts.js";

const DAY = 86_400;

/** Share of posts with comments, and the number of further comments of these. */
const COMMENTED = 0.2;
const FURTHER = { median: 0.6, spread: 1 };
/** One of this many posts has many comments. */
const FAMOUS = 500;
const FAMOUS_COMMENTS = { median: 40, spread: 0.6 };

/** Delay from the upload to the comment. */
const DELAY = { median: 5 * DAY, spread: 2.5 };

/** Shares of comments. */
const SILENT = 0.05;
const STICKY = 0.001;
const DELETED = 0.02;
const VOTED = 0.2;

/** Columns of posts derived from comments: seconds since the start, -1 for never. */
export interface CommentTimes {
  commented: Int32Array;
  bumped: Int32Array;
}

/** All comments of a board, with user, post and time. */
export function planComments(plan: Plan): Events {
  let total = 0;
  for (let id = 1; id <= plan.posts; id += 1) total += commentsOn(id, chanceOf(plan, "discussions", id));
  const events = new Events(total);
  for (let id = 1; id <= plan.posts; id += 1) {
    const random = chanceOf(plan, "discussions", id);
    const uploaded = plan.calendar.uploaded(id);
    for (let left = commentsOn(id, random); left > 0; left -= 1) {
      events.add(id, plan.crowd.one("comment", random), plan.calendar.later(uploaded, DELAY, random));
    }
  }
  return events;
}

function commentsOn(post: number, random: Random): number {
  if (post % FAMOUS === FAMOUS / 2) return random.skewed(FAMOUS_COMMENTS);
  return random.chance(COMMENTED) ? 1 + random.skewed(FURTHER) : 0;
}

/** The time of the last comment of each post, and of the last one that bumped it. */
export function commentTimes(plan: Plan, comments: Events): CommentTimes {
  const commented = new Int32Array(plan.posts + 1).fill(-1);
  const bumped = new Int32Array(plan.posts + 1).fill(-1);
  const counts = new Uint16Array(plan.posts + 1);
  for (const { id, post, second } of comments.inOrder()) {
    const place = (counts[post] = (counts[post] ?? 0) + 1);
    const { isDeleted, isSilent } = stateOf(chanceOf(plan, "comments", id));
    if (isDeleted) continue;
    commented[post] = second;
    if (!isSilent && place <= BUMPING_COMMENTS) bumped[post] = second;
  }
  return { commented, bumped };
}

const stateOf = (random: Random) => ({
  isDeleted: random.chance(DELETED),
  isSilent: random.chance(SILENT),
  isSticky: random.chance(STICKY),
});

/** Rows of `comments`. A deleted one was deleted by its author. */
export function* commentRows(plan: Plan, comments: Events): Rows {
  const { calendar } = plan;
  for (const { id, post, user, second } of comments.inOrder()) {
    const random = chanceOf(plan, "comments", id);
    const { isDeleted, isSilent, isSticky } = stateOf(random);
    yield {
      id,
      created_at: calendar.text(second),
      updated_at: calendar.text(isDeleted ? calendar.later(second, DELAY, random) : second),
      post_id: post,
      creator_id: user,
      updater_id: isDeleted ? user : null,
      body: sentences(random),
      score: votesOn(plan, id).reduce((sum, vote) => sum + vote.score, 0),
      do_not_bump_post: isSilent,
      is_deleted: isDeleted,
      is_sticky: isSticky,
    };
  }
}

function votesOn(plan: Plan, id: number): { user: number; score: 1 | -1 }[] {
  const random = chanceOf(plan, "commentVotes", id);
  if (!random.chance(VOTED)) return [];
  const users = plan.crowd.several("vote", plan.crowd.atMost(1 + random.below(5)), random);
  const liking = random.chance(0.8) ? 0.9 : 0.1;
  return users.map((user) => ({ user, score: random.chance(liking) ? 1 : -1 }));
}

/** Rows of `comment_votes`, in the order of the comments. */
export function* commentVoteRows(plan: Plan, comments: Events): Rows {
  let id = 0;
  for (const { id: comment, second } of comments.inOrder()) {
    const time = plan.calendar.text(second);
    for (const { user, score } of votesOn(plan, comment)) {
      id += 1;
      yield { id, created_at: time, updated_at: time, comment_id: comment, user_id: user, score };
    }
  }
}
