/** The tags of a post. */
import { chanceOf, type Plan } from "./plan.js";
import { pick, type Random } from "./random.js";
import type { Cluster, CommonWord, Word } from "./vocabulary.js";

/** Number of tags of a post besides common ones, its artist, series and characters. */
const DETAILS = { median: 22, spread: 0.4 };

/** The words of a post by id, without duplicates; the same at every call. */
export function wordsOf(plan: Plan, id: number): Word[] {
  const { vocabulary } = plan;
  const random = chanceOf(plan, "words", id);
  const age = id / plan.posts;
  const words = new Set<Word>(commonWords(vocabulary.common, age, random));
  words.add(pick(vocabulary.artists, random, 30));
  for (let left = random.below(4); left > 0; left -= 1) words.add(pick(vocabulary.meta, random, 2));
  const cluster = random.chance(0.85) ? clusterAt(vocabulary.clusters, age, random) : null;
  if (cluster) addOfCluster(words, cluster, random);
  for (let left = random.skewed(DETAILS); left > 0; left -= 1) {
    const isTheme = cluster !== null && random.chance(0.55);
    words.add(isTheme ? pick(cluster.themes, random, 4) : pick(vocabulary.general, random, 12));
  }
  return [...words].sort((a, b) => a.id - b.id);
}

/** Chooses each word by its share. Of two that never occur together, the second is chosen more often without the first. */
function commonWords(common: readonly CommonWord[], age: number, random: Random): CommonWord[] {
  const chosen: CommonWord[] = [];
  for (const word of common) {
    if (age > word.until) continue;
    const share = word.rival ? word.share / (1 - word.rival.share) : word.share;
    const isTaken = word.rival !== null && chosen.includes(word.rival);
    if (random.chance(share) && !isTaken) chosen.push(word);
  }
  return chosen;
}

function clusterAt(clusters: readonly Cluster[], age: number, random: Random): Cluster | null {
  for (let tries = 0; tries < 4; tries += 1) {
    const cluster = pick(clusters, random, 3);
    if (cluster.from <= age && age < cluster.to) return cluster;
  }
  return null;
}

function addOfCluster(words: Set<Word>, cluster: Cluster, random: Random): void {
  words.add(cluster.copyright);
  for (let left = 1 + random.below(3); left > 0; left -= 1) words.add(pick(cluster.characters, random));
}
