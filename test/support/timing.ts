/** Measures times on a machine that may be busy with other tests. */

export interface Timed<T> {
  answer: T;
  milliseconds: number;
}

export async function timed<T>(ask: () => Promise<T>): Promise<Timed<T>> {
  const began = performance.now();
  const answer = await ask();
  return { answer, milliseconds: performance.now() - began };
}

/** Milliseconds of the processor that this process spends meanwhile: unlike the clock, they don't count what other processes do. */
export async function processorTime(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** Repeats a measurement at most twice until the result is acceptable. */
export async function measured<T>(measure: () => Promise<T>, isGood: (result: T) => boolean): Promise<T> {
  let result = await measure();
  for (let tries = 0; tries < 2 && !isGood(result); tries += 1) result = await measure();
  return result;
}

/** Repeats the measurement of a request at most twice while it takes too long. */
export const timedWithin = <T>(most: number, ask: () => Promise<T>): Promise<Timed<T>> =>
  measured(
    () => timed(ask),
    ({ milliseconds }) => milliseconds < most,
  );
