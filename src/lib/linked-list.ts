/**
 * A list whose items are removed at once, wherever they are. For what comes and goes with every request, instead of a `Map` or `Set`:
 * V8 links each table that these have outgrown to the next one, so that one table that has reached the old generation keeps all
 * later ones, and what was in them, until the next full garbage collection.
 */

/** An item's place in a list. */
export class Link<T> {
  /** for `LinkedList` */
  previous: Link<T> | null = null;
  /** for `LinkedList` */
  next: Link<T> | null = null;

  constructor(readonly value: T) {}
}

export class LinkedList<T> {
  private first: Link<T> | null = null;
  private last: Link<T> | null = null;
  private length = 0;

  get size(): number {
    return this.length;
  }

  /** Adds a link that is in no list, at the end. */
  push(link: Link<T>): void {
    link.previous = this.last;
    if (this.last) this.last.next = link;
    else this.first = link;
    this.last = link;
    this.length += 1;
  }

  remove(link: Link<T>): void {
    const { previous, next } = link;
    if (previous) previous.next = next;
    else this.first = next;
    if (next) next.previous = previous;
    else this.last = previous;
    link.previous = link.next = null;
    this.length -= 1;
  }

  /** The values in the order in which they were added. */
  *[Symbol.iterator](): Generator<T> {
    for (let link = this.first; link; link = link.next) yield link.value;
  }
}
