/** Numbers that look random and are the same on every machine. */

/** A random number generator with a seed. */
export interface Dice {
  /** a number from `low` to `high`, to three decimals */
  between(low: number, high: number): number;
  /** a whole number below `sides` */
  below(sides: number): number;
  /** one of a list */
  of<T>(list: readonly T[]): T;
}

/** Park and Miller's generator. */
export function dice(seed: number): Dice {
  let state = (seed * 7919 + 1) % 2_147_483_647;
  const next = (): number => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  for (let warm = 0; warm < 5; warm += 1) next(); // the first numbers of neighbouring seeds are alike
  return {
    between: (low, high) => Math.round((low + next() * (high - low)) * 1000) / 1000,
    below: (sides) => Math.floor(next() * sides),
    of: (list) => list[Math.floor(next() * list.length)] as never,
  };
}

/** One decimal is enough for a coordinate. */
export const round = (value: number): number => Math.round(value * 10) / 10;
