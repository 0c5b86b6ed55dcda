/** Generates the cheat sheet of the post search from the grammar, the registry of meta-tags and the orders. */
import { GRAMMAR, GRAMMAR_NOTES } from "../src/search/posts/ast.js";
import { METATAGS } from "../src/search/posts/metatags/index.js";
import type { Metatag } from "../src/search/posts/metatags/metatag.js";
import { VALUE_FORMS } from "../src/search/posts/metatags/ranges.js";
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
