/** The users of a generated board, their activity, and its counters. */
import type { Calendar } from "./calendar.js";
import type { Rows } from "./copy.js";
import { Random, Topic } from "./random.js";

/** Flatness of the distribution of each activity over users (`Random.rank`); each has other users as the most active. */
const ACTIVITIES = { upload: 3, favorite: 20, vote: 40, comment: 10, note: 2, pool: 4, approve: 5 } as const;

export type Activity = keyof typeof ACTIVITIES;

/** Not a valid bcrypt string, so that nobody can sign in as a generated user. */
const PASSWORD_HASH = `$2b$04$${"a".repeat(53)}`;

/** Levels: every tenth user is a Janitor, the rest Members, Gold and Contributors in turn. */
const LEVELS = [20, 20, 30, 33] as const;
const JANITOR = 35;
const isJanitor = (place: number): boolean => place % 10 === 9;

/** Maximum share of users who interact with one post. */
const CROWDED = 4;

/** 10,000 users for 1,000,000 posts, 1,000 for 10,000; at least 10. */
export const usersFor = (posts: number): number => Math.max(10, Math.round(10 * Math.sqrt(posts)));

export class Crowd {
  /** counts of each user's actions, by index; filled while the rows are written */
  readonly counts: Record<"uploads" | "favorites" | "notes", Int32Array>;
  /** users by activity, the most active first */
  private readonly orders: Record<Activity, Int32Array>;
  /** number of the last call of `several` that chose a user */
  private readonly chosen: Int32Array;
  private round = 0;

  /** @param firstId id of the first user; the others follow */
  constructor(
    readonly firstId: number,
    readonly size: number,
    seed: number,
  ) {
    const random = new Random(seed, Topic.crowd);
    const counter = () => new Int32Array(size);
    this.counts = { uploads: counter(), favorites: counter(), notes: counter() };
    this.chosen = new Int32Array(size);
    const orders = Object.keys(ACTIVITIES).map((activity) => [activity, this.order(activity as Activity, random)]);
    this.orders = Object.fromEntries(orders) as Record<Activity, Int32Array>;
  }

  /** The id of a random user. */
  one(activity: Activity, random: Random): number {
    return this.firstId + this.place(activity, random);
  }

  /** Ids of several different users. @param count at most `atMost` */
  several(activity: Activity, count: number, random: Random): number[] {
    this.round += 1;
    const ids: number[] = [];
    while (ids.length < count) {
      const place = this.place(activity, random);
      if (this.chosen[place] === this.round) continue;
      this.chosen[place] = this.round;
      ids.push(this.firstId + place);
    }
    return ids;
  }

  /** Maximum number of users who interact with one post. */
  atMost(count: number): number {
    return Math.min(count, Math.ceil(this.size / CROWDED));
  }

  count(what: keyof Crowd["counts"], userId: number): void {
    const place = userId - this.firstId;
    this.counts[what][place] = (this.counts[what][place] ?? 0) + 1;
  }

  /** Rows of `users`; to be called after all counts are complete. */
  *rows(calendar: Calendar): Rows {
    const founded = calendar.text(0);
    for (let place = 0; place < this.size; place += 1) {
      yield {
        id: this.firstId + place,
        created_at: founded,
        updated_at: founded,
        name: `generated_${place + 1}`,
        password_hash: PASSWORD_HASH,
        level: isJanitor(place) ? JANITOR : (LEVELS[place % LEVELS.length] ?? 20),
        post_upload_count: this.counts.uploads[place] ?? 0,
        post_update_count: this.counts.uploads[place] ?? 0,
        note_update_count: this.counts.notes[place] ?? 0,
        favorite_count: this.counts.favorites[place] ?? 0,
      };
    }
  }

  private place(activity: Activity, random: Random): number {
    const order = this.orders[activity];
    return order[random.rank(order.length, ACTIVITIES[activity])] ?? 0;
  }

  /** All users in random order; only Janitors approve. */
  private order(activity: Activity, random: Random): Int32Array {
    const places = Int32Array.from({ length: this.size }, (_, place) => place);
    for (let left = places.length; left > 1; left -= 1) {
      const other = random.below(left);
      const last = places[left - 1] ?? 0;
      places[left - 1] = places[other] ?? 0;
      places[other] = last;
    }
    return activity === "approve" ? places.filter(isJanitor) : places;
  }
}
