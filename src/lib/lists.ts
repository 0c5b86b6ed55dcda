/** The items of a list that are not in another one. */
export function without<Item>(list: readonly Item[], others: readonly Item[]): Item[] {
  const excluded = new Set(others);
  return list.filter((item) => !excluded.has(item));
}
