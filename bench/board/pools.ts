/** Pools: series of neighbouring posts, and collections of posts from everywhere. */
import type { Rows } from "./copy.js";
import { chanceOf, type Plan } from "./plan.js";
import type { Random } from "./random.js";
import { sentences } from "./texts.js";
import { spell } from "./vocabulary.js";

/** Posts per pool. */
const POSTS_PER_POOL = 200;
/** Number of posts of a pool: mostly a few, sometimes hundreds. */
const SIZE = { median: 8, spread: 1.6 };
const LEAST = 2;
const MOST = 1000;

/** Shares of pools. */
const COLLECTIONS = 0.4;
const ACTIVE = 0.6;
const DELETED = 0.02;

/** Maximum distance between successive posts of a series, in posts of the board. */
const STEP = 5;

/** At least one, if there are enough posts. */
const poolsFor = (posts: number): number => (posts < 2 * LEAST ? 0 : Math.max(1, Math.round(posts / POSTS_PER_POOL)));

/** The columns that `pools` and `pool_versions` share, and the time of the last addition. */
function poolOf(plan: Plan, id: number) {
  const random = chanceOf(plan, "pools", id);
  const last = Math.floor((id * plan.posts) / poolsFor(plan.posts));
  const size = Math.min(MOST, Math.max(LEAST, random.skewed(SIZE)), Math.floor(last / 2));
  const isCollection = random.chance(COLLECTIONS);
  const posts = isCollection ? scattered(last, size, random) : inARow(last, size, random);
  const newest = posts.reduce((greatest, post) => Math.max(greatest, post), 0);
  return {
    time: plan.calendar.text(plan.calendar.uploaded(newest)),
    creator: plan.crowd.one("pool", random),
    state: {
      post_ids: posts,
      name: `${capital(spell(id))}_${isCollection ? "gallery" : "story"}`,
      description: sentences(random),
      category: isCollection ? "collection" : "series",
      is_active: random.chance(ACTIVE),
      is_deleted: random.chance(DELETED),
    },
  };
}

/** Successive posts up to a last one, with gaps, oldest first. */
function inARow(last: number, size: number, random: Random): number[] {
  const posts: number[] = [];
  for (let post = last; post > 0 && posts.length < size; post -= 1 + random.below(STEP)) posts.unshift(post);
  return posts;
}

/** Different random posts up to a last one, unordered. */
function scattered(last: number, size: number, random: Random): number[] {
  const posts = new Set<number>();
  while (posts.size < size) posts.add(1 + random.below(last));
  return [...posts];
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Rows of `pools`, created at the time of their newest post. */
export function* poolRows(plan: Plan): Rows {
  for (let id = 1; id <= poolsFor(plan.posts); id += 1) {
    const { time, creator, state } = poolOf(plan, id);
    const count = state.post_ids.length;
    yield { id, created_at: time, updated_at: time, creator_id: creator, ...state, post_count: count };
  }
}

/** Rows of `pool_versions`: the first version of each pool. */
export function* poolVersionRows(plan: Plan): Rows {
  for (let id = 1; id <= poolsFor(plan.posts); id += 1) {
    const { time, creator, state } = poolOf(plan, id);
    const changes = { added_post_ids: state.post_ids, removed_post_ids: [] };
    yield {
      id,
      created_at: time,
      updated_at: time,
      pool_id: id,
      version: 1,
      updater_id: creator,
      ...state,
      ...changes,
    };
  }
}
