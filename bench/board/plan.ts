/** Common types of the parts of a generated board. */
import type { Calendar } from "./calendar.js";
import type { Crowd } from "./crowd.js";
import { Random, Topic } from "./random.js";
import type { Vocabulary } from "./vocabulary.js";

/**
 * All tables, or only those that searches use, which takes half the time and space: without versions, votes, comments and notes,
 * and with the favorites of every tenth post. Posts are the same, and keep the counts of omitted rows.
 */
export const CONTENTS = ["everything", "searches"] as const;
export type Contents = (typeof CONTENTS)[number];

export interface Plan {
  posts: number;
  seed: number;
  contents: Contents;
  vocabulary: Vocabulary;
  calendar: Calendar;
  crowd: Crowd;
}

/** The random numbers of a post or comment for one topic. */
export const chanceOf = (plan: Plan, topic: keyof typeof Topic, id: number): Random =>
  new Random(plan.seed, Topic[topic], id);
