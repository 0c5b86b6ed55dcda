/** Counts whole numbers, such as the tags of a page. */

/** A slot of the table by number; slots in use are at most half of it. */
const spread = (number: number): number => Math.imul(number, 0x9e3779b1) >>> 0;

/**
 * The most frequent numbers of several lists, by frequency and then by first occurrence.
 * @param lists none of which has a number twice
 * @returns each with the number of its lists
 */
export function mostFrequent(lists: readonly ArrayLike<number>[], most: number): [number: number, count: number][] {
  const { numbers, counts } = counted(lists);
  const having = new Uint32Array(lists.length + 1);
  for (const count of counts) having[count] = (having[count] as number) + 1;
  const found: [number, number][] = [];
  for (let count = lists.length; count > 0 && found.length < most; count -= 1) {
    if (having[count] === 0) continue;
    for (let index = 0; index < counts.length && found.length < most; index += 1)
      if (counts[index] === count) found.push([numbers[index] as number, count]);
  }
  return found;
}

/** The numbers in the order of their first lists, and the number of lists of each: by a table of their places, since a Map of them takes ten times the memory. */
function counted(lists: readonly ArrayLike<number>[]): { numbers: Int32Array; counts: Uint32Array } {
  let most = 0;
  for (const list of lists) most += list.length;
  const bits = Math.ceil(Math.log2(most + 1)) + 1;
  const places = new Uint32Array(2 ** bits); // 0 is free, otherwise the place plus one
  const [last, shift] = [places.length - 1, 32 - bits];
  const numbers = new Int32Array(most);
  const counts = new Uint32Array(most);
  let length = 0;
  for (const list of lists)
    for (let index = 0; index < list.length; index += 1) {
      const number = list[index] as number;
      let slot = spread(number) >>> shift;
      while (places[slot] !== 0 && numbers[(places[slot] as number) - 1] !== number) slot = (slot + 1) & last;
      if (places[slot] === 0) {
        numbers[length] = number;
        places[slot] = length += 1;
      }
      const place = (places[slot] as number) - 1;
      counts[place] = (counts[place] as number) + 1;
    }
  return { numbers: numbers.subarray(0, length), counts: counts.subarray(0, length) };
}
