/**
 * A queue that serves its keys in turns (round-robin fair queuing): however much waits for one key, the first of another one is
 * served after at most one of each. Within a key what came first is served first.
 */
export class FairQueue<Item> {
  /** by key, the one first whose turn is next; none is empty */
  readonly #queues = new Map<string, Item[]>();
  #size = 0;

  /** How many wait, of all keys. */
  get size(): number {
    return this.#size;
  }

  /** How many wait of one key. */
  sizeOf(key: string): number {
    return this.#queues.get(key)?.length ?? 0;
  }

  push(key: string, item: Item): void {
    const queue = this.#queues.get(key);
    if (queue) queue.push(item);
    else this.#queues.set(key, [item]);
    this.#size += 1;
  }

  /** Takes the first of the key whose turn it is. */
  shift(): Item | undefined {
    for (const [key, queue] of this.#queues) {
      const item = queue.shift();
      this.#queues.delete(key);
      if (queue.length > 0) this.#queues.set(key, queue); // at the end of the round
      this.#size -= 1;
      return item;
    }
    return undefined;
  }

  /** Takes the last of the key that has the most. */
  dropOfLongest(): Item | undefined {
    let [longest, queue]: [string, Item[]] = ["", []];
    for (const [key, other] of this.#queues) if (other.length > queue.length) [longest, queue] = [key, other];
    const item = queue.pop();
    if (item !== undefined) this.#size -= 1;
    if (queue.length === 0) this.#queues.delete(longest);
    return item;
  }

  /** Takes one that needs no turn any more. */
  remove(key: string, item: Item): void {
    const queue = this.#queues.get(key) ?? [];
    const index = queue.indexOf(item);
    if (index < 0) return;
    queue.splice(index, 1);
    this.#size -= 1;
    if (queue.length === 0) this.#queues.delete(key);
  }
}
