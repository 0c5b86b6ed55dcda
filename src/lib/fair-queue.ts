/**
 * A queue that serves its keys in turns (round-robin fair queuing): however many entries one key has, the first of another one is
 * served after at most one of each. The entries of a key are served in order.
 */
export class FairQueue<Item> {
  /** by key, in the order of turns; none is empty */
  readonly #queues = new Map<string, Item[]>();
  #size = 0;

  get size(): number {
    return this.#size;
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
}
