/** Adds to a count in a map, in which a count of zero takes no room. */
export function addTo(counts: Map<string, number>, key: string, amount: number): void {
  const count = (counts.get(key) ?? 0) + amount;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
