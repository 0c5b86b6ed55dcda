/** Generates docs/permissions.md from the table of permissions and the rows of the REST interface. */
import { Kind } from "graphql";
import { variantsOf } from "../rest/adapter/row.js";
import { operationOf } from "../rest/adapter/execute.js";
import { table } from "../rest/table.js";
import { FIELDS, READS, SUBSCRIPTIONS, WRITES } from "../src/resources/permissions.js";
import type { Permission } from "../src/resources/shared/policy.js";
import { permits, type Role, ROLES } from "./roles.js";

/** The root field of a row. */
function fieldOf({ document }: (typeof table)[number]): string {
  const [field] = operationOf(document).selectionSet.selections;
  return field?.kind === Kind.FIELD ? field.name.value : "";
}

/** The REST paths of a field, with the parameter that selects the listing, if any. */
const paths = table.flatMap((row) =>
  variantsOf(row).map((each) => {
    const word = Object.entries(row.choice?.others ?? {}).find(([, other]) => other === each)?.[0];
    const query = word === undefined ? "" : `?${row.choice?.parameter}=${word}`;
    return { field: fieldOf(each), path: `\`${row.method} ${row.path}${query}\`` };
  }),
);

/** A viewer's rights on their own records and on those of others. */
function cell(permission: Permission, role: Role): string {
  const own = permits(permission, role, true);
  if (own === permits(permission, role, false)) return own ? "yes" : "";
  return own ? "own" : "others'";
}

function line([field, permission]: [string, Permission]): string {
  const own = paths.filter((each) => each.field === field).map(({ path }) => path);
  const cells = ROLES.map((role) => cell(permission, role));
  return `| \`${field}\` | ${[own.join("<br>"), ...cells, permission.note ?? ""].join(" | ")} |`;
}

function section(title: string, permissions: Readonly<Record<string, Permission>>): string {
  const head = ["", "REST", ...ROLES, ""];
  return `## ${title}

|${head.map((name) => ` ${name} `).join("|")}|
|${head.map(() => "---").join("|")}|
${Object.entries(permissions).map(line).join("\n")}
`;
}

/** The page, without the line that marks it as generated. */
export const permissions = (): string => `
# Permissions

Each operation by the name of its GraphQL field, with its REST paths. *own*: on records that the viewer created
(for a dmail: their copy); *others'*: on records of others. A level has the rights of all below it; a banned user of
any level has those of the column *banned*. A refusal is 403 or \`FORBIDDEN\` unless a note says otherwise.

${section("Reading", READS)}
${section("Writing", WRITES)}
${section("Subscriptions", SUBSCRIPTIONS)}
${section("Restricted fields and records", FIELDS)}
For everybody else these records don't exist (they are in no list, count or relation) and these fields are null or empty; a dmail is
403.
`;
