/**
 * The words of a generated board. A few are on a great share of all posts; the rest belongs to clusters (a series with its
 * characters and themes) or is spread thinly over everything.
 */
import { Random } from "./random.js";

export interface Word {
  /** from 1 */
  id: number;
  name: string;
  category: number;
}

export interface CommonWord extends Word {
  /** share of the posts that have it */
  share: number;
  /** a word that no post has together with this one */
  rival: CommonWord | null;
}

/** A series: what its posts have in common. */
export interface Cluster {
  copyright: Word;
  characters: Word[];
  themes: Word[];
  /** from which to which part of the board's life its posts come, 0 to 1 */
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

/** The commonest words with their shares; of a pair that never meets, the second names the first. */
const COMMON: [name: string, share: number, rival?: string][] = [
  ["one_person", 0.6],
  ["long_hair", 0.45],
  ["smile", 0.35],
  ["standing", 0.28],
  ["short_hair", 0.24, "long_hair"],
  ["hat", 0.22],
  ["outdoors", 0.2],
  ["sitting", 0.18, "standing"],
  ["indoors", 0.16, "outdoors"],
  ["dress", 0.15],
  ["sky", 0.13],
  ["day", 0.12],
  ["flower", 0.11],
  ["night", 0.1, "day"],
  ["animal", 0.09],
  ["no_people", 0.08, "one_person"],
  ["monochrome", 0.07],
];

const THEMES_PER_CLUSTER = 40;

/** A vocabulary grows slower than what is said with it: 1,600 words for 500 posts, 11,000 for 10,000, 207,000 for a million. */
export const wordsFor = (posts: number): number => Math.round(30 * posts ** 0.64);

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
  const clusters = makeClusters({ copyrights, characters, general }, new Random(seed));
  return { words, common, meta, artists, general, clusters };
}

function makeCommon(add: (name: string, category: number) => Word): CommonWord[] {
  const made: CommonWord[] = [];
  for (const [name, share, rivalName] of COMMON) {
    const rival = made.find((word) => word.name === rivalName) ?? null;
    made.push({ ...add(name, GENERAL), share, rival });
  }
  return made;
}

interface ClusterWords {
  copyrights: Word[];
  characters: Word[];
  general: Word[];
}

/** Every fourth series is a fashion: all its posts are of one short time. */
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

/** One of a list, the first ones most often. */
export const pick = <T>(list: readonly T[], random: Random, flat = 1): T => list[random.rank(list.length, flat)] as T;

const CONSONANTS = "bdfghjklmnprst";
const VOWELS = "aeiou";
const SYLLABLES = CONSONANTS.length * VOWELS.length;

/** A word of three syllables and more, another one for each number; some of two parts. */
function spell(number: number): string {
  let text = "";
  for (let rest = number + SYLLABLES ** 2, at = 0; rest > 0; rest = Math.floor(rest / SYLLABLES), at += 1) {
    const digit = rest % SYLLABLES;
    if (at === 2 && number % 3 === 0) text += "_";
    text += `${CONSONANTS[digit % CONSONANTS.length]}${VOWELS[Math.floor(digit / CONSONANTS.length)]}`;
  }
  return text;
}
