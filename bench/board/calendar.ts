/** When things happen on a generated board. Times are whole seconds of the board's life, from 0 to LIFE. */
import type { Random, Skew } from "./random.js";

/** Seconds from the founding of the board to the last upload: ten years. */
export const LIFE = 10 * 365 * 86_400;

/** Boards grow: above 1, the uploads come the quicker the later it is. */
const GROWTH = 1.25;

const DAY = 86_400;

export class Calendar {
  /** seconds since 1970 */
  private readonly founded: number;
  private readonly dates: string[] = [];
  private readonly times: string[] = [];

  /** @param until when the last post is uploaded and everything else has happened; whole seconds count */
  constructor(
    private readonly posts: number,
    until: Date,
  ) {
    this.founded = Math.floor(until.getTime() / 1000) - LIFE;
  }

  /** Never before the upload of the post with the number before. */
  uploaded(id: number): number {
    return LIFE - Math.round(LIFE * (1 - id / this.posts) ** GROWTH);
  }

  /** Some time after, by the delay in seconds; what would happen after the end of the board happens before it instead. */
  later(second: number, delay: Skew, random: Random): number {
    const time = second + random.skewed(delay);
    return time <= LIFE ? time : second + random.below(LIFE - second + 1);
  }

  /** `2016-01-01T00:00:00Z`. Put together from parts that are kept: dates are most of what some tables consist of. */
  text(second: number): string {
    const time = this.founded + second;
    const date = Math.floor(time / DAY);
    const rest = time - date * DAY;
    const atDay = (this.dates[date - Math.floor(this.founded / DAY)] ??= iso(date * DAY).slice(0, 11));
    return atDay + (this.times[rest] ??= `${iso(rest).slice(11, 19)}Z`);
  }
}

const iso = (seconds: number): string => new Date(seconds * 1000).toISOString();
