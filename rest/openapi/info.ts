/** The introduction: the interface, and the limits of this board. */
import type { Config } from "../../src/config.js";
import { version } from "../../src/lib/version.js";

/** The settings of a board that the introduction mentions. */
export type Facts = Pick<
  Config,
  | "PUBLIC_URL"
  | "REQUIRE_LOGIN"
  | "MAX_POSTS_PER_PAGE"
  | "MAX_PER_PAGE"
  | "MAX_PAGE"
  | "MAX_UPLOAD_BYTES"
  | "MAX_BODY_BYTES"
  | "TAGS_PER_SEARCH"
  | "LIMIT_ANONYMOUS"
  | "LIMIT_MEMBER"
  | "LIMIT_GOLD"
  | "LIMIT_PLATINUM"
>;

const number = (value: number): string => value.toLocaleString("en-US");

const generalOf = (
  facts: Facts,
): string => `The REST interface of an image board. All operations are available in GraphQL as well, at \`/graphql\`.

* Every path exists as \`.json\` and as \`.xml\`. XML has dashes in names where JSON has underscores; \`type\` attributes mark
  values that aren't text, \`nil="true"\` null, \`type="array"\` lists.
* Reads return the bare record or list. Writes return \`success\`, \`reason\` and, in JSON, the record.
* An error is an envelope with \`success: false\` and a \`reason\`, in the format of the path.
* Parameters may be in query and body; those of the body take precedence. Unknown ones are ignored; blank ones are absent in a search and
  clear fields that aren't text in a body. Enums are case-insensitive; \`true\`, \`yes\`, \`on\` and \`1\` are the same.
* \`PATCH\` is \`PUT\`; a \`POST\` may name another method in \`_method\` or \`X-HTTP-Method-Override\`.
${facts.REQUIRE_LOGIN ? "* This board requires login: visitors can only sign up and in.\n" : ""}`;

const limitsOf = (facts: Facts): string => `## Limits

| | |
|---|---|
| Requests an hour, visitors | ${number(facts.LIMIT_ANONYMOUS)} |
| Requests an hour, Member | ${number(facts.LIMIT_MEMBER)} |
| Requests an hour, Gold | ${number(facts.LIMIT_GOLD)} |
| Requests an hour, Platinum and above | ${number(facts.LIMIT_PLATINUM)} |
| Posts in one listing | ${number(facts.MAX_POSTS_PER_PAGE)} |
| Records in any other listing | ${number(facts.MAX_PER_PAGE)} |
| Page numbers | ${number(facts.MAX_PAGE)}; further back by \`page=b<id>\` |
| Terms in one search of posts | ${number(facts.TAGS_PER_SEARCH)} |
| Bytes of a file | ${number(facts.MAX_UPLOAD_BYTES)} |
| Bytes of a body without a file | ${number(facts.MAX_BODY_BYTES)} |

The \`X-RateLimit-*\` headers of each response show the remaining requests.
`;

export const infoOf = (facts: Facts) => ({
  title: "Graphbooru",
  version: version(),
  summary: "An image board's REST interface.",
  description: `${generalOf(facts)}\n${limitsOf(facts)}`,
  license: { name: "MIT", identifier: "MIT" },
});
