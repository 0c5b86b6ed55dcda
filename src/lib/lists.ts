/** The items of a list that are not in another one. */
export function without<Item>(list: readonly Item[], others: readonly Item[]): Item[] {
  const excluded = new Set(others);
  return list.filter((item) => !excluded.has(item));
}

/** The items in batches of at most so many, in order. */
export const batchesOf = <Item>(list: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, batch) => list.slice(batch * size, (batch + 1) * size));
