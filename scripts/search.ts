/** Generates the cheat sheet of the post search from the grammar, the registry of meta-tags and the orders. */
import { GRAMMAR } from "../src/search/posts/ast.js";
import { METATAGS } from "../src/search/posts/metatags/index.js";
import type { Metatag } from "../src/search/posts/metatags/metatag.js";
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
  "Text that does not follow the grammar (`a or`, `--a`, an unclosed quote or parenthesis) matches nothing, and so do " +
    "unknown tags, users and pools and invalid values; negated, these match everything.",
  "`order:`, `limit:`, `random:`, `ordpool:` and `ordfav:` apply to the whole result: negated, or as one of several " +
    "alternatives, they match nothing. The last one wins, and `ordpool:` and `ordfav:` take precedence over `order:`.",
  "Groups can be nested 500 deep, and a search can be 32,768 bytes long; more is refused, and so are too many terms.",
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

const cell = (text: string): string => text.replaceAll("|", "\\|");
const code = (text: string): string => `\`${text}\``;
const table = (heads: string[], rows: (readonly string[])[]): string =>
  [heads, heads.map(() => "---"), ...rows].map((row) => `| ${row.map(cell).join(" | ")} |`).join("\n");

function metatagRow({ name, aliases = [], value, description, examples }: Metatag): string[] {
  const spellings = [name, ...aliases].map((spelling) => code(`${spelling}:`)).join(" ");
  return [spellings, value, description, examples.map(code).join(" ")];
}

const withoutDesc = (names: readonly string[]): string[] =>
  names.filter((name) => !names.includes(name.replace(/_desc$/, "")) || !name.endsWith("_desc"));

/** docs/search.md without its header. */
export const cheatSheet = (): string => `
# Searching for posts

The search language of \`tags\` in \`/posts.json\` and in GraphQL's \`posts\`. With \`raw\`, the whole text is the name of one tag.

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

${table(["Meta-tag", "Value", "Matches posts by", "Examples"], METATAGS.map(metatagRow))}

## Orders

Ties are ordered by ID, in the direction of the order. Every name with \`_asc\` also has \`_desc\`, the default. Pages before or after an ID (\`page=b123\`, \`page=a123\`) are always ordered by ID, and empty with \`random:\`.

${table(
  ["`order:`", "Order"],
  ORDERS.map(({ names, description }) => [withoutDesc(names).map(code).join(" "), description]),
)}
`;
