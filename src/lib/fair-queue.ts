/**
 * A queue that serves its keys in turns (round-robin fair queuing): however many entries one key has, the first of another one is
 * served after at most one of each. The entries of a key are served in order.
 */
export class FairQueue<Item> {
  /** by key, in the order of turns; none is empty */
  readonly #queues = new Map<string, Item[]>();
  #size = 0;

  /** Number of waiting entries. */
  get size(): number {
    return this.#size;
  }

  /** Number of waiting entries of one key. */
  sizeOf(key: string): number {
    return this.#queues.get(key)?.length ?? 0;
  }

  push(key: string, item: Item): void {
    const queue = this.#queues.get(key);
    if (queue) queue.push(item);
    else this.#queues.set(key, [item]);
    this.#size += 1;
  }

  /** Removes and returns the first entry of the key whose turn it is. */
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

  /** Removes and returns the last entry of the key with the most. */
  dropOfLongest(): Item | undefined {
    let [longest, queue]: [string, Item[]] = ["", []];
    for (const [key, other] of this.#queues) if (other.length > queue.length) [longest, queue] = [key, other];
    const item = queue.pop();
    if (item !== undefined) this.#size -= 1;
    if (queue.length === 0) this.#queues.delete(longest);
    return item;
  }

  /** Removes an entry that no longer needs a turn. */
  remove(key: string, item: Item): void {
    const queue = this.#queues.get(key) ?? [];
    const index = queue.indexOf(item);
    if (index < 0) return;
    queue.splice(index, 1);
    this.#size -= 1;
    if (queue.length === 0) this.#queues.delete(key);
  }
}
