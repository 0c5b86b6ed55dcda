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
function rightsOf(permission: Permission, role: Role): "all" | "own" | "others'" | undefined {
  const own = permits(permission, role, true);
  if (own === permits(permission, role, false)) return own ? "all" : undefined;
  return own ? "own" : "others'";
}

const nameOf = (role: Role): string =>
  ({ anonymous: "visitors", banned: "banned users" })[role as string] ??
  role.replace(/^./, (letter) => letter.toUpperCase());

/** The roles with an operation: each level at which the rights change, and the visitors and banned users who have it. */
function allowed(permission: Permission): string {
  const [visitor, banned, ...levels] = ROLES.map((role) => ({ role, rights: rightsOf(permission, role) }));
  const changes = levels.filter(({ rights }, index) => rights !== levels[index - 1]?.rights);
  const lowest = [visitor, banned].filter((each) => each?.rights !== undefined);
  const [first] = changes;
  const isForAll =
    changes.length === 1 && lowest.length === 2 && lowest.every((each) => each?.rights === first?.rights);
  if (isForAll) return first?.rights === "all" ? "everybody" : `everybody: ${first?.rights}`;
  return [...lowest, ...changes]
    .flatMap((each) =>
      each?.rights === undefined
        ? []
        : [each.rights === "all" ? nameOf(each.role) : `${nameOf(each.role)}: ${each.rights}`],
    )
    .join(", ");
}

function line([field, permission]: [string, Permission]): string {
  const own = paths.filter((each) => each.field === field).map(({ path }) => path);
  return `| \`${field}\` | ${[own.join("<br>"), allowed(permission), permission.note ?? ""].join(" | ")} |`;
}

function section(title: string, permissions: Readonly<Record<string, Permission>>): string {
  const head = ["", "REST", "Allowed", ""];
  return `## ${title}

|${head.map((name) => ` ${name} `).join("|")}|
|${head.map(() => "---").join("|")}|
${Object.entries(permissions).map(line).join("\n")}
`;
}

/** The page, without the line that marks it as generated. */
export const permissions = (): string => `
# Permissions

Each operation by the name of its GraphQL field, with its REST paths and the lowest level that may use it; a level has the rights of all below it. *own*: on records that the viewer
created (for a dmail: their copy); *others'*: on records of others. Banned users of any level, and visitors, may use only what names them or *everybody*. A refusal is 403 or \`FORBIDDEN\` unless a note says otherwise.

${section("Reading", READS)}
${section("Writing", WRITES)}
${section("Subscriptions", SUBSCRIPTIONS)}
${section("Restricted fields and records", FIELDS)}
For everybody else these records don't exist (they are in no list, count or relation) and these fields are null or empty; a dmail is
403.
`;
