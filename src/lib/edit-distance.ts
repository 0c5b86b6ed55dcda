/**
 * The number of letters to insert, delete, replace or swap with the next to turn one word into another (optimal string
 * alignment).
 * @param most for a larger distance, a number above it is returned
 */
export function editDistance(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let [before, row]: [number[], number[]] = [[], Array.from({ length: other.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const isSame = one[i - 1] === other[j - 1];
      const isSwapped = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const replaced = (row[j - 1] as number) + (isSame ? 0 : 1);
      const swapped = isSwapped ? (before[j - 2] ?? Infinity) + 1 : Infinity;
      next.push(Math.min((row[j] as number) + 1, (next[j - 1] as number) + 1, replaced, swapped));
    }
    if (Math.min(...next) > most) return most + 1;
    [before, row] = [row, next];
  }
  return row[other.length] as number;
}
