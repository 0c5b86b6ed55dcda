/** Actions of users on posts, sorted by time. */
import { LIFE } from "./calendar.js";

export interface Event {
  /** from 1, by time */
  id: number;
  post: number;
  user: number;
  /** seconds since the start of the board */
  second: number;
}

/** A compact list of events. */
export class Events {
  private readonly posts: Int32Array;
  private readonly users: Int32Array;
  private readonly seconds: Int32Array;
  private size = 0;

  /** @throws RangeError for too many to sort exactly: the favorites of 4,600,000 posts */
  constructor(capacity: number) {
    if (capacity * LIFE > Number.MAX_SAFE_INTEGER)
      throw new RangeError(`${capacity} events are too many to be sorted.`);
    this.posts = new Int32Array(capacity);
    this.users = new Int32Array(capacity);
    this.seconds = new Int32Array(capacity);
  }

  add(post: number, user: number, second: number): void {
    this.posts[this.size] = post;
    this.users[this.size] = user;
    this.seconds[this.size] = second;
    this.size += 1;
  }

  /** Sorted by time and numbered from 1; events at the same time in the order of their addition. */
  *inOrder(): Iterable<Event> {
    // time and index in one number, which sorts much faster than comparing times
    const keys = new Float64Array(this.size);
    for (let place = 0; place < this.size; place += 1) keys[place] = (this.seconds[place] ?? 0) * this.size + place;
    keys.sort();
    for (let id = 1; id <= this.size; id += 1) {
      const place = (keys[id - 1] ?? 0) % this.size;
      yield {
        id,
        post: this.posts[place] ?? 0,
        user: this.users[place] ?? 0,
        second: this.seconds[place] ?? 0,
      };
    }
  }
}
