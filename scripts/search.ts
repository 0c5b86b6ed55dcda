/** Generates the cheat sheet of the post search from the grammar, the registry of meta-tags and the orders. */
import { GRAMMAR } from "../src/search/posts/ast.js";
import { METATAGS } from "../src/search/posts/metatags/index.js";
import type { Metatag } from "../src/search/posts/metatags/metatag.js";
import { COUNTED } from "../src/search/posts/counted.js";
import { measures } from "../src/search/posts/metatags/values.js";
import { ORDERS } from "../src/search/posts/orders.js";

/** Examples; a test runs each. */
export const FIRST_STEPS: readonly (readonly [text: string, meaning: string])[] = [
  ["harbour boat", "both tags"],
  ["harbour -boat", "the first without the second"],
  ["harbour or boat", "at least one of them"],
  ["sunset (harbour or boat)", "a group"],
  ["sunset ~harbour ~boat", "the same as above"],
  ["*_sky", "tags that end in `_sky`"],
  ["rating:s score:>=10", "meta-tags"],
  ["-(user:mira rating:e)", "not both together"],
  ["date:2026-01..2026-03 order:score", "the highest scores of a time span"],
  ['pool:"some series"', "a value with spaces, in quotes"],
];

/** What the grammar's notation doesn't express, as sentences. */
const GRAMMAR_NOTES: readonly string[] = [
  '"and", "or", names of meta-tags and tags are case-insensitive. A space is any Unicode white space.',
  "`word:rest` is a tag if `word` is not a meta-tag.",
  'All terms with "~" in one and-clause form one group, of which at least one must match; `~a` alone is `a`.',
  "A parenthesis at the end of a word belongs to the word as long as the word's parentheses balance, as in `(a or b_(c))`; " +
    "otherwise it closes the group. The emoticons `:)` `:(` `;)` `;(` `>:)` `>:(` are tags.",
  "A tag that begins with a parenthesis is written with a backslash: `\\(foo)`. New tags cannot begin with one.",
  "Aliases are resolved, one step. A wildcard matches the 100 most used tags of its pattern.",
  "`/ab` is the most used tag of two words that begin with a and b, unless a tag or alias has that name.",
  "A search that does not follow the grammar (`a or`, `--a`, an unclosed quote or parenthesis) matches nothing. " +
    "An unknown tag, user or pool, or an invalid value, matches no post; negated, every post.",
  "`order:`, `limit:`, `random:`, `ordpool:` and `ordfav:` apply to the whole result: negated, or as one of several " +
    "alternatives, they match nothing. The last one applies, and `ordpool:` and `ordfav:` take precedence over `order:`.",
  "A search of more than 40 terms (`TAGS_PER_SEARCH`, negated and grouped ones included), 500 nested groups or 32,768 bytes is refused (424).",
];

/** The grammar of values: form and meaning. */
const VALUE_FORMS: readonly (readonly [form: string, meaning: string])[] = [
  ["N", "equal (see the types below)"],
  ["A..B", "between, inclusive, in either order"],
  ["A...B", "between, without the upper bound"],
  ["<=N, ..N", "at most"],
  ["<N", "less"],
  [">=N, N..", "at least"],
  [">N", "more"],
  ["any", "has a value"],
  ["none", "has none"],
  ["X,Y,Z", "any of these, each in one of the forms above: 1,5..7,>9"],
];

/** The names of meta-tags, and of orders, that count related records. */
const COUNT_NAMES = new Set(COUNTED.map(({ name }) => `${name}_count`));

const cell = (text: string): string => text.replaceAll("|", "\\|");
const code = (text: string): string => `\`${text}\``;
const table = (heads: string[], rows: (readonly string[])[]): string =>
  [heads, heads.map(() => "---"), ...rows].map((row) => `| ${row.map(cell).join(" | ")} |`).join("\n");

function metatagRow({ name, aliases = [], value, description, examples }: Metatag): string[] {
  const spellings = [name, ...aliases].map((spelling) => code(`${spelling}:`)).join(" ");
  return [spellings, value, description, examples.map(code).join(" ")];
}

/** The orders, with those that `_asc` reverses in one row. */
function orderRows(): string[][] {
  const reversed = new Map(ORDERS.map(({ names, description }) => [names[0], description]));
  return ORDERS.filter(({ names: [name = ""] }) => !name.endsWith("_asc") && !COUNT_NAMES.has(name)).map(
    ({ names, description }) => {
      const shown = names.filter((name) => !names.includes(name.replace(/_desc$/, "")) || !name.endsWith("_desc"));
      return [shown.map(code).join(" "), description, reversed.get(`${names[0]}_asc`) ?? ""];
    },
  );
}

/** docs/search.md without its header. */
export const cheatSheet = (): string => `
# Searching for posts

The language of the parameter \`tags\` of \`/posts.json\` and of the argument \`tags\` of \`posts\` in GraphQL. With \`raw=true\`, the whole text is the name of one tag.

${table(
  ["Search", "Matches"],
  FIRST_STEPS.map(([text, meaning]) => [code(text), meaning]),
)}

## Grammar

\`\`\`
${GRAMMAR}
\`\`\`

${GRAMMAR_NOTES.map((note) => `* ${note}`).join("\n")}

## Values

${table(
  ["Form", "Meaning"],
  VALUE_FORMS.map(([form, meaning]) => [form.split(", ").map(code).join(" "), meaning]),
)}

${table(
  ["Type", "Format", "A single value matches"],
  measures(new Date(0)).map(({ name, form, alone }) => [name, form, alone ?? "exactly"]),
)}

## Meta-tags

${table(["Meta-tag", "Value", "Matches posts by", "Examples"], METATAGS.filter(({ name }) => !COUNT_NAMES.has(name)).map(metatagRow))}

Each of the following is a meta-tag (\`note_count:>2\`, \`notes:0\`: whole numbers, ranges and lists) and an order (\`order:notes\`: most first; \`order:notes_asc\`: fewest first).

${table(
  ["Names", "Number of"],
  COUNTED.map(({ name, plural, description }) => [`${code(`${name}_count`)} ${code(plural)}`, description]),
)}

## Orders

Ties are ordered by ID: newest first, oldest first with \`_asc\` and \`portrait\`, and the other way around for \`downvotes\`. \`_desc\` after a name that takes \`_asc\` changes nothing. Pages before or after an ID (\`page=b123\`, \`page=a123\`) are always ordered by ID, and empty with \`random:\`.

${table(["`order:`", "Order", "With `_asc`"], orderRows())}
`;
