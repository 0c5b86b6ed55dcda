/** Times, which a machine that is busy with other tests may spoil. */

export interface Timed<T> {
  answer: T;
  milliseconds: number;
}

export async function timed<T>(ask: () => Promise<T>): Promise<Timed<T>> {
  const began = performance.now();
  const answer = await ask();
  return { answer, milliseconds: performance.now() - began };
}

/** Measures again, twice at most, while the result is not good. */
export async function measured<T>(measure: () => Promise<T>, isGood: (result: T) => boolean): Promise<T> {
  let result = await measure();
  for (let tries = 0; tries < 2 && !isGood(result); tries += 1) result = await measure();
  return result;
}

/** Measures a request again, twice at most, while it takes longer than that. */
export const timedWithin = <T>(most: number, ask: () => Promise<T>): Promise<Timed<T>> =>
  measured(
    () => timed(ask),
    ({ milliseconds }) => milliseconds < most,
  );
