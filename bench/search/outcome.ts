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
  /** in the database, with a limit of 20 and one connection */
  ours: number;
  /** the same query in the other layout; null if it was not measured */
  theirs: number | null;
  /** whether the other layout's query timed out, and counts as PATIENCE */
  timedOut: boolean;
}

export interface AliasOutcome {
  /** posts with the antecedent when the alias is approved */
  posts: number;
  /** posts retagged during the measurement, and its duration in seconds */
  done: number;
  seconds: number;
  /** p50 of some searches before and during the job */
  searches: { name: string; before: number; meanwhile: number }[];
}

export interface WritesOutcome {
  /** sequential edits of tags */
  edit: { p50: number; p99: number; edits: number };
  /** concurrent edits by 16 members */
  parallel: { edits: number; p50: number; editsPerSecond: number; wrongCounts: string[]; deadlocks: number };
  alias: AliasOutcome;
}

export interface Outcome {
  posts: number;
  date: string;
  machine: string;
  settings: Record<string, string | number>;
  searches: SearchOutcome[];
  /** searches that were left out, with the reason: a status other than 200, or other posts than SQL finds */
  failures: string[];
  /** p50 by name on a board with a tenth of the posts; limit 20, one connection; null without one */
  small: { posts: number; p50: Record<string, number> } | null;
  /** `/posts.json?limit=20` with 16 connections, and the same number of bytes from memory; requests per second */
  throughput: { ours: number; bare: number };
  /** memory of the server after the searches, in MB (10^6 bytes); null if unknown */
  memory: number | null;
  counts: CountFigures;
  /** null if the other layout was not measured */
  answers: AnswerFigures[] | null;
  /** null if only searches were measured */
  writes: WritesOutcome | null;
}
