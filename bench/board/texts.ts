/** Texts written by users. */
import { pick, type Random } from "./random.js";
import { spell } from "./vocabulary.js";

const WORDS =
  `the a this is of and to in it that with for on as her his so like more what not just very really love nice great
  picture colors light hand eyes background style artist drawing detail line shadow water sky cute lovely beautiful
  strange perfect amazing wrong pose source translation missing tagged version original sketch series character
  story page chapter read waiting again always never someone anyone maybe thanks please look looking looks made makes`
    .trim()
    .split(/\s+/);

/** One of this many words is rare. */
const RARE = 0.08;
const RARE_WORDS = 50_000;

const word = (random: Random): string =>
  random.chance(RARE) ? spell(random.rank(RARE_WORDS, 100)) : pick(WORDS, random, 8);

/** One to three sentences of English words, some of them rare. */
export function sentences(random: Random): string {
  const made = Array.from({ length: 1 + random.below(3) }, () => sentence(random));
  return made.join(" ");
}

function sentence(random: Random): string {
  const words = Array.from({ length: 1 + random.skewed({ median: 6, spread: 0.5 }) }, () => word(random)).join(" ");
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
