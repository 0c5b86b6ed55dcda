/** The cheat sheet of the post search, out of the grammar, the registry of meta-tags and the orders. */
import { GRAMMAR, GRAMMAR_NOTES } from "../src/search/posts/ast.js";
import { METATAGS } from "../src/search/posts/metatags/index.js";
import type { Metatag } from "../src/search/posts/metatags/metatag.js";
import { VALUE_FORMS } from "../src/search/posts/metatags/ranges.js";
import { measures } from "../src/search/posts/metatags/values.js";
import { ORDERS } from "../src/search/posts/orders.js";

/** Searches to begin with; a test runs each. */
export const FIRST_STEPS: readonly (readonly [text: string, meaning: string])[] = [
  ["harbour boat", "both tags"],
  ["harbour -boat", "the one without the other"],
  ["harbour or boat", "one of them, or both"],
  ["sunset (harbour or boat)", "groups"],
  ["sunset ~harbour ~boat", "the same"],
  ["*_sky", "tags that end so"],
  ["rating:s score:>=10", "meta-tags"],
  ["-(user:mira rating:e)", "not both"],
  ["date:2026-01..2026-03 order:score", "the best of a time"],
  ['pool:"some series"', "values with blanks stand in quotes"],
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

The search language of \`tags\` in \`/posts.json\` and in GraphQL's \`posts\`. With \`raw\` the whole text is the exact name of one tag.

${table(
  ["Search", "Finds"],
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
  ["Kind", "Written", "A single value means"],
  measures(new Date(0)).map(({ name, form, alone }) => [name, form, alone ?? "exactly this number"]),
)}

## Meta-tags

${table(["Meta-tag", "Value", "Finds posts by", "Examples"], METATAGS.map(metatagRow))}

## Orders

Ties are ordered by id, in the direction of the order. \`_desc\` is allowed on every name that has \`_asc\`, and is the default. Pages before or after an id (\`page=b123\`, \`page=a123\`) are always ordered by id.

${table(
  ["`order:`", "Order"],
  ORDERS.map(({ names, description }) => [withoutDesc(names).map(code).join(" "), description]),
)}
`;
