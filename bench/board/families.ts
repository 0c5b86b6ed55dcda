/** Parents and children of posts. Chosen before the rows are written, since a parent's row contains whether it has children. */
import { Random, Topic } from "./random.js";

/** Shares of posts. */
const CHILDREN = 0.07;
const DELETED = 0.05;

/** Maximum distance of a parent from its child, in posts. */
const REACH = 40;

const HAS_CHILDREN = 1;
const HAS_ACTIVE_CHILDREN = 2;

export class Families {
  private readonly parents: Int32Array;
  private readonly deleted: Uint8Array;
  private readonly children: Uint8Array;

  constructor({ posts, seed }: { posts: number; seed: number }) {
    this.parents = new Int32Array(posts + 1);
    this.deleted = new Uint8Array(posts + 1);
    this.children = new Uint8Array(posts + 1);
    const random = new Random(seed, Topic.families);
    for (let id = 1; id <= posts; id += 1) this.place(id, random);
  }

  isDeleted(id: number): boolean {
    return this.deleted[id] === 1;
  }

  /** The columns of `posts` about parents and children. */
  of(id: number) {
    const children = this.children[id] ?? 0;
    return {
      parent_id: this.parents[id] || null,
      has_children: children > 0,
      has_active_children: (children & HAS_ACTIVE_CHILDREN) > 0,
    };
  }

  private place(id: number, random: Random): void {
    if (random.chance(DELETED)) this.deleted[id] = 1;
    if (!random.chance(CHILDREN)) return;
    const parent = id - 1 - random.below(REACH);
    if (parent < 1) return;
    this.parents[id] = parent;
    const flags = this.isDeleted(id) ? HAS_CHILDREN : HAS_CHILDREN | HAS_ACTIVE_CHILDREN;
    this.children[parent] = (this.children[parent] ?? 0) | flags;
  }
}
