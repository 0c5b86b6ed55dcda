/** Reproducible random numbers: the same sequence for the same seed. */
export class Random {
  private state: number;

  /**
   * @param topic with `id`, identifies an independent sequence. It is the same whenever it is requested, in
   *   any order, so that rows of several tables are consistent without being kept in memory.
   */
  constructor(seed: number, topic = 0, id = 0) {
    this.state = mix(mix(Math.imul(seed, 0x9e3779b1) ^ Math.imul(topic, 0x85ebca6b)) ^ id);
  }

  /** At least 0, less than 1 (mulberry32). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** An integer from 0 up to, but not including, the given one. */
  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  /**
   * An index below `count`, with low ones most often: the weight of r is log((r + flat + 1) / (r + flat)),
   * which is Zipf's law with a flattened head. The greater `flat`, the more even the distribution.
   */
  rank(count: number, flat = 1): number {
    return Math.min(count - 1, Math.floor(flat * ((count + flat) / flat) ** this.next() - flat));
  }

  /** Approximately normally distributed, with mean 0 and variance 1: the sum of four uniform numbers. */
  normal(): number {
    return (this.next() + this.next() + this.next() + this.next() - 2) * Math.sqrt(3);
  }

  /** A non-negative integer with approximately log-normal distribution. */
  skewed({ median, spread }: Skew): number {
    return Math.round(median * Math.exp(spread * this.normal()));
  }
}

/** The median of skewed numbers, and the standard deviation of their logarithms. */
export interface Skew {
  median: number;
  spread: number;
}

/** Topics of random numbers. Changing a number changes the boards of all seeds. */
export const Topic = {
  vocabulary: 1,
  crowd: 2,
  families: 3,
  files: 4,
  words: 5,
  posts: 6,
  favorites: 7,
  votes: 8,
  discussions: 9,
  comments: 10,
  commentVotes: 11,
  annotations: 12,
  notes: 13,
  pools: 14,
} as const;

/** An item of a list, the first ones most often. */
export const pick = <T>(list: readonly T[], random: Random, flat = 1): T => list[random.rank(list.length, flat)] as T;

/** Spreads neighbouring numbers over all of 32 bits (the end of murmur3). */
function mix(number: number): number {
  let mixed = Math.imul(number ^ (number >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
