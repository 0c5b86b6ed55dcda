/** What all parts of a generated board have in common. */
import type { Calendar } from "./calendar.js";
import type { Crowd } from "./crowd.js";
import { Random, Topic } from "./random.js";
import type { Vocabulary } from "./vocabulary.js";

/**
 * All tables, or only those that searches read, which takes half the time and space: without versions, votes, comments and notes,
 * and with the favorites of every tenth post. The posts themselves are the same, with the numbers of what is left out.
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

/** The chance that a post, or a comment, has in one matter. */
export const chanceOf = (plan: Plan, topic: keyof typeof Topic, id: number): Random =>
  new Random(plan.seed, Topic[topic], id);
