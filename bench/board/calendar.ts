/** Times of events on a generated board, in whole seconds since its start, from 0 to LIFE. */
import type { Random, Skew } from "./random.js";

/** Seconds from the start of the board to the last upload: ten years. */
export const LIFE = 10 * 365 * 86_400;

/** Above 1, the rate of uploads increases with time. */
const GROWTH = 1.25;

const DAY = 86_400;

export class Calendar {
  /** seconds since 1970 */
  private readonly founded: number;
  private readonly dates: string[] = [];
  private readonly times: string[] = [];

  /** @param until time of the last upload, and of the end of all other events; in whole seconds */
  constructor(
    private readonly posts: number,
    until: Date,
  ) {
    this.founded = Math.floor(until.getTime() / 1000) - LIFE;
  }

  /** Not before the upload of the previous post. */
  uploaded(id: number): number {
    return LIFE - Math.round(LIFE * (1 - id / this.posts) ** GROWTH);
  }

  /** A time after another one, by a random delay in seconds; clamped to the end of the board. */
  later(second: number, delay: Skew, random: Random): number {
    const time = second + random.skewed(delay);
    return time <= LIFE ? time : second + random.below(LIFE - second + 1);
  }

  /** `2016-01-01T00:00:00Z`. Assembled from cached parts, since some tables consist mostly of dates. */
  text(second: number): string {
    const time = this.founded + second;
    const date = Math.floor(time / DAY);
    const rest = time - date * DAY;
    const atDay = (this.dates[date - Math.floor(this.founded / DAY)] ??= iso(date * DAY).slice(0, 11));
    return atDay + (this.times[rest] ??= `${iso(rest).slice(11, 19)}Z`);
  }
}

const iso = (seconds: number): string => new Date(seconds * 1000).toISOString();
