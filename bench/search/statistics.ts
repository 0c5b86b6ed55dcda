/** Statistics of a list of durations. */

/**
 * A percentile by nearest rank, so always a measured value.
 * @param values in any order @param share 0 to 1
 * @throws RangeError without values
 */
export function percentile(values: readonly number[], share: number): number {
  if (values.length === 0) throw new RangeError("no values");
  const sorted = Float64Array.from(values).sort();
  const rank = Math.max(1, Math.ceil(share * sorted.length));
  return sorted[Math.min(rank, sorted.length) - 1] as number;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);

/**
 * The geometric mean of ratios.
 * @throws RangeError without values, or for one that is not above 0
 */
export function geometricMean(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError("no values");
  if (values.some((value) => !(value > 0))) throw new RangeError("not above 0");
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}
