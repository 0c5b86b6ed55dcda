/** docs/permissions.md out of the table of permissions and the rows of the REST interface. */
import { Kind } from "graphql";
import { variantsOf } from "../rest/adapter/choice.js";
import { operationOf } from "../rest/adapter/execute.js";
import { table } from "../rest/table.js";
import {
  FIELDS,
  type Permission,
  permits,
  READS,
  type Role,
  ROLES,
  SUBSCRIPTIONS,
  WRITES,
} from "../src/resources/permissions.js";

/** What a row asks the schema for. */
function fieldOf({ document }: (typeof table)[number]): string {
  const [field] = operationOf(document).selectionSet.selections;
  return field?.kind === Kind.FIELD ? field.name.value : "";
}

/** The paths that lead to a field, a parameter that chooses the listing included. */
const paths = table.flatMap((row) =>
  variantsOf(row).map((each) => {
    const word = Object.entries(row.choice?.others ?? {}).find(([, other]) => other === each)?.[0];
    const query = word === undefined ? "" : `?${row.choice?.parameter}=${word}`;
    return { field: fieldOf(each), path: `\`${row.method} ${row.path}${query}\`` };
  }),
);

/** How a viewer stands to own records and to those of others. */
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

/** The whole page, without the line that says that it is generated. */
export const permissions = (): string => `
# Who may do what

Each operation by the name of its GraphQL field, with its paths of the REST interface. *own*: on records that the viewer made
(for a dmail: the own copy); *others'*: on records that others made. A level has the rights of the ones below it, and a banned user, of
whatever level, those of the column *banned*. What is refused is a 403, or \`FORBIDDEN\`, unless the note names another status.

${section("Reading", READS)}
${section("Writing", WRITES)}
${section("Listening", SUBSCRIPTIONS)}
${section("Told to fewer", FIELDS)}
To everybody else a record of these types is not there, in no list, count or relation, and such a field is null or empty; a dmail is refused
(403).
`;
