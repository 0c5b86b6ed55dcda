/** What users do to posts, put in the order of time. */
import { LIFE } from "./calendar.js";

export interface Event {
  /** from 1, in the order of time */
  id: number;
  post: number;
  user: number;
  /** of the board's life */
  second: number;
}

/** Any number of events in little memory. */
export class Events {
  private readonly posts: Int32Array;
  private readonly users: Int32Array;
  private readonly seconds: Int32Array;
  private size = 0;

  /** @throws RangeError for so many that their order would no longer be exact: the favorites of 4,600,000 posts */
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

  /** Numbered from 1, the earliest first; of equal times the one that was added first. */
  *inOrder(): Iterable<Event> {
    // time and place in one number: sorting these is much quicker than comparing times
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
