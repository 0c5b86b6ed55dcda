/** Favorites and votes on posts. */
import type { Rows } from "./copy.js";
import { Events } from "./events.js";
import { chanceOf, type Plan } from "./plan.js";
import type { Random } from "./random.js";

const DAY = 86_400;

/** Favorites of a post, about six on average. */
const FAVORITES = { median: 3, spread: 1.2 };
/** Delay from the upload to a favorite or vote: half of them within days, some after years. */
const DELAY = { median: 3 * DAY, spread: 2 };

const favorites = (plan: Plan, random: Random): number => plan.crowd.atMost(random.skewed(FAVORITES));

/** Number of favorites of a post. */
export const favoritesOf = (plan: Plan, id: number): number => favorites(plan, chanceOf(plan, "favorites", id));

/** Rows of `favorites` by time, which is the order of each user's favorites. Updates the users' counts. */
export function* favoriteRows(plan: Plan): Rows {
  const { calendar, crowd } = plan;
  for (const { id, post, user, second } of planFavorites(plan).inOrder()) {
    crowd.count("favorites", user);
    yield { id, created_at: calendar.text(second), user_id: user, post_id: post };
  }
}

/** Of every post, or of one in several. */
const STEP = { everything: 1, searches: 10 } as const;

function planFavorites(plan: Plan): Events {
  const step = STEP[plan.contents];
  let total = 0;
  for (let id = step; id <= plan.posts; id += step) total += favoritesOf(plan, id);
  const events = new Events(total);
  for (let id = step; id <= plan.posts; id += step) {
    const random = chanceOf(plan, "favorites", id);
    const users = plan.crowd.several("favorite", favorites(plan, random), random);
    const uploaded = plan.calendar.uploaded(id);
    for (const user of users) events.add(id, user, plan.calendar.later(uploaded, DELAY, random));
  }
  return events;
}

/** Votes of a post, most of them by users who have it as a favorite; few are down votes. */
function votes(plan: Plan, id: number, random: Random): { up: number; down: number } {
  const up = plan.crowd.atMost(Math.round(favoritesOf(plan, id) * (0.2 + 0.6 * random.next())) + random.below(2));
  const down = random.chance(0.1) ? plan.crowd.atMost(1 + random.below(4)) : 0;
  return { up, down };
}

/** The columns of `posts` about votes. */
export function scoresOf(plan: Plan, id: number) {
  const { up, down } = votes(plan, id, chanceOf(plan, "votes", id));
  return { up_score: up, down_score: down === 0 ? 0 : -down, score: up - down };
}

/** Rows of `post_votes`, in the order of the posts. */
export function* voteRows(plan: Plan): Rows {
  const { calendar, crowd } = plan;
  let id = 0;
  for (let post = 1; post <= plan.posts; post += 1) {
    const random = chanceOf(plan, "votes", post);
    const { up, down } = votes(plan, post, random);
    const uploaded = calendar.uploaded(post);
    for (const [place, user] of crowd.several("vote", up + down, random).entries()) {
      const time = calendar.text(calendar.later(uploaded, DELAY, random));
      id += 1;
      yield { id, created_at: time, updated_at: time, post_id: post, user_id: user, score: place < up ? 1 : -1 };
    }
  }
}
