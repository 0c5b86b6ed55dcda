/**
 * The tags of a generated board. A few are on a large share of all posts; the others belong to clusters (a series with its
 * characters and themes) or are rare everywhere.
 */
import type { Rows } from "./copy.js";
import { pick, Random, Topic } from "./random.js";

export interface Word {
  /** from 1 */
  id: number;
  name: string;
  category: number;
}

export interface CommonWord extends Word {
  /** share of posts with it while it was in use */
  share: number;
  /** a word that never occurs together with this one */
  rival: CommonWord | null;
  /** the time until which it was in use, from 0 (start) to 1 (end) */
  until: number;
}

/** A series: its tag, characters and themes. */
export interface Cluster {
  copyright: Word;
  characters: Word[];
  themes: Word[];
  /** the period of its posts, from 0 (start) to 1 (end) */
  from: number;
  to: number;
}

export interface Vocabulary {
  words: Word[];
  common: CommonWord[];
  meta: Word[];
  artists: Word[];
  general: Word[];
  clusters: Cluster[];
}

const GENERAL = 0;
const ARTIST = 1;
const COPYRIGHT = 3;
const CHARACTER = 4;
const META = 5;

interface Common {
  /** set on the second of two words that never occur together */
  rival?: string;
  until?: number;
}

/** The most common words with their shares, and three that only the oldest tenth of the posts have. */
const COMMON: [name: string, share: number, more?: Common][] = [
  ["one_person", 0.6],
  ["long_hair", 0.45],
  ["smile", 0.35],
  ["standing", 0.28],
  ["short_hair", 0.24, { rival: "long_hair" }],
  ["hat", 0.22],
  ["outdoors", 0.2],
  ["sitting", 0.18, { rival: "standing" }],
  ["indoors", 0.16, { rival: "outdoors" }],
  ["dress", 0.15],
  ["sky", 0.13],
  ["day", 0.12],
  ["flower", 0.11],
  ["night", 0.1, { rival: "day" }],
  ["animal", 0.09],
  ["no_people", 0.08, { rival: "one_person" }],
  ["monochrome", 0.07],
  ["scanned", 0.3, { until: 0.1 }],
  ["dithered", 0.05, { until: 0.1 }],
  ["reduced_palette", 0.004, { until: 0.1 }],
];

const THEMES_PER_CLUSTER = 40;

/** The number of words grows sublinearly: 1,600 for 500 posts, 11,000 for 10,000, 207,000 for a million. */
export const wordsFor = (posts: number): number => Math.round(30 * posts ** 0.64);

/** Rows of `tags`. @param counts posts with each word, by its id */
export function* tagRows(words: readonly Word[], counts: Int32Array, founded: string): Rows {
  for (const { id, name, category } of words) {
    yield { id, created_at: founded, updated_at: founded, name, category, post_count: counts[id] ?? 0 };
  }
}

/** @param size number of words, at least 100 */
export function makeVocabulary(size: number, seed: number): Vocabulary {
  const words: Word[] = [];
  const add = (name: string, category: number): Word => {
    const word = { id: words.length + 1, name, category };
    words.push(word);
    return word;
  };
  const several = (count: number, category: number): Word[] =>
    Array.from({ length: Math.max(4, Math.round(count)) }, () => add(spell(words.length), category));
  const common = makeCommon(add);
  const meta = several(size * 0.002, META);
  const copyrights = several(size * 0.015, COPYRIGHT);
  const characters = several(size * 0.1, CHARACTER);
  const artists = several(size * 0.2, ARTIST);
  const general = several(size - words.length, GENERAL);
  const clusters = makeClusters({ copyrights, characters, general }, new Random(seed, Topic.vocabulary));
  return { words, common, meta, artists, general, clusters };
}

function makeCommon(add: (name: string, category: number) => Word): CommonWord[] {
  const made: CommonWord[] = [];
  for (const [name, share, more] of COMMON) {
    const rival = made.find((word) => word.name === more?.rival) ?? null;
    made.push({ ...add(name, GENERAL), share, rival, until: more?.until ?? 1 });
  }
  return made;
}

interface ClusterWords {
  copyrights: Word[];
  characters: Word[];
  general: Word[];
}

/** The posts of every fourth series are from a short period. */
function makeClusters({ copyrights, characters, general }: ClusterWords, random: Random): Cluster[] {
  const own = Math.max(1, Math.floor(characters.length / copyrights.length));
  return copyrights.map((copyright, index) => {
    const start = index % 4 === 3 ? random.next() * 0.9 : 0;
    return {
      copyright,
      characters: Array.from({ length: own }, (_, at) => characters[index * own + at] ?? pick(characters, random)),
      themes: Array.from({ length: THEMES_PER_CLUSTER }, () => pick(general, random, 10)),
      from: start,
      to: index % 4 === 3 ? start + 0.1 : 1,
    };
  });
}

const CONSONANTS = "bdfghjklmnprst";
const VOWELS = "aeiou";
const SYLLABLES = CONSONANTS.length * VOWELS.length;

/** A word of at least three syllables, different for each number; some have two parts. */
export function spell(number: number): string {
  let text = "";
  for (let rest = number + SYLLABLES ** 2, at = 0; rest > 0; rest = Math.floor(rest / SYLLABLES), at += 1) {
    const digit = rest % SYLLABLES;
    if (at === 2 && number % 3 === 0) text += "_";
    text += `${CONSONANTS[digit % CONSONANTS.length]}${VOWELS[Math.floor(digit / CONSONANTS.length)]}`;
  }
  return text;
}
