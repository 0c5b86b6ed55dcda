/** An attack, as data and one function; `list.ts` has all of them. */
import type { Target } from "./target.js";

export interface Attack {
  /** what is sent, in a few words; unique */
  name: string;
  /** settings of the board that are not its defaults */
  settings?: Readonly<Record<string, string>>;
  /** longest time that it goes on, in seconds; 2 by default */
  seconds?: number;
  /** tables that it may write to, since a member may; nothing by default */
  writes?: readonly string[];
  /** whether work of its requests goes on, and writes, when nobody waits for it any more: hashes of passwords */
  lingers?: boolean;
  /** whether some of its files are fit to be taken, so that they stay */
  keepsFiles?: boolean;
  /** whether it comes from the ordinary visitor's own address, which then has the share of both: the member alone is measured */
  fromVisitorsAddress?: boolean;
  /** whether the member is banned a second after it has begun */
  banned?: boolean;
  /** makes what is sent, before the clock runs */
  prepare?(target: Target): Promise<void>;
  /** sends it; to be over when `target.signal` is aborted */
  send(target: Target): Promise<unknown>;
}

/** What an attack may know of the board: anybody could find it out. */
export interface Facts {
  /** of a post with 300 children */
  parent: number;
  /** of an ordinary post */
  post: number;
  /** path of a file that is there */
  file: string;
  /** names of tags, the most frequent first */
  tags: string[];
}

export interface Login {
  name: string;
  apiKey: string;
}

/** The order sent to the attacker's process. */
export interface Order {
  attack: string;
  url: string;
  facts: Facts;
  member: Login;
  /** that it sends from, by turns where an attack takes several; 127.x.y.z */
  addresses: string[];
}

/** What the attacker has sent, and what came of it. */
export interface Tally {
  requests: number;
  /** bytes */
  sent: number;
  /** answers by their status, messages of sockets by their type; 0 for none */
  statuses: Record<string, number>;
}
