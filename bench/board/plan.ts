/** What all parts of a generated board have in common. */
import type { Calendar } from "./calendar.js";
import type { Crowd } from "./crowd.js";
import { Random, Topic } from "./random.js";
import type { Vocabulary } from "./vocabulary.js";

export interface Plan {
  posts: number;
  seed: number;
  vocabulary: Vocabulary;
  calendar: Calendar;
  crowd: Crowd;
}

/** The chance that a post, or a comment, has in one matter. */
export const chanceOf = (plan: Plan, topic: keyof typeof Topic, id: number): Random =>
  new Random(plan.seed, Topic[topic], id);
