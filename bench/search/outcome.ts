/** The measurements of a run; also the shape of the JSON file. Milliseconds unless stated otherwise. */
import type { AnswerFigures } from "./answers.js";
import type { CountFigures } from "./counts.js";
import type { Figures } from "./load/driver.js";

export const LIMITS = [20, 100] as const;
export const CONNECTIONS = [1, 16] as const;

/** By limit, then by connections. */
export type FiguresByLoad = Record<(typeof LIMITS)[number], Record<(typeof CONNECTIONS)[number], Figures>>;

export interface SearchOutcome {
  name: string;
  tags: string;
  figures: FiguresByLoad;
  /** in the database, at a limit of 20 and one connection */
  ours: number;
  /** the same question to the other board's table; null where it was not asked */
  theirs: number | null;
  /** theirs was given up, and counts as PATIENCE */
  timedOut: boolean;
}

export interface AliasOutcome {
  /** that have the antecedent when the alias is approved */
  posts: number;
  /** retagged while it was measured, in so many seconds */
  done: number;
  seconds: number;
  /** p50 of some searches before and meanwhile */
  searches: { name: string; before: number; meanwhile: number }[];
}

export interface WritesOutcome {
  /** edits of tags, one after the other */
  edit: { p50: number; p99: number; edits: number };
  /** the same by 16 members at once */
  parallel: { edits: number; p50: number; editsPerSecond: number; wrongCounts: string[]; deadlocks: number };
  alias: AliasOutcome;
}

export interface Outcome {
  posts: number;
  date: string;
  machine: string;
  settings: Record<string, string | number>;
  searches: SearchOutcome[];
  /** what is wrong with the searches that are left out: not answered with 200, or not the posts that SQL finds */
  failures: string[];
  /** p50 by name, of a board with a tenth of the posts; limit 20, one connection; null where there was none */
  small: { posts: number; p50: Record<string, number> } | null;
  /** `/posts.json?limit=20` at 16 connections, and the same bytes from memory; requests a second */
  throughput: { ours: number; bare: number };
  /** of the server after the searches, in MB (10^6 bytes); null where the system does not tell */
  memory: number | null;
  counts: CountFigures;
  /** null where the other board's table was not asked */
  answers: AnswerFigures[] | null;
  /** null where only searches were measured */
  writes: WritesOutcome | null;
}
