/** Refusals for missing rights, by the table of permissions, and versions of other records: in both formats, changing nothing. */
import { afterAll, beforeAll, describe, it } from "vitest";
import { READS, WRITES } from "../../src/resources/permissions.js";
import { permits, type Role } from "../../scripts/roles.js";
import type { Params } from "../support/client.js";
import { expectRefusals } from "../support/refusal-matrix.js";
import { fieldOf, isRead, type NamedRow, requestOf, rowOf, rows, sendTo } from "../support/rest-rows.js";
import { NOT_FOUND, type Rules, startRules } from "../support/rules.js";

let rules: Rules;
beforeAll(async () => {
  rules = await startRules();
}, 60_000);
afterAll(() => rules[Symbol.asyncDispose]());

describe("a viewer without the right gets 403", () => {
  const REASONS: Partial<Record<Role, string>> = { anonymous: "login required", banned: "your account is banned" };
  /** refused with 424 to those who may call the operation at all */
  const UNSOUND: Record<string, Params> = { "without parameters": {}, invalid: { limit: "x", search: "x" } };
  const ROLES: Role[] = ["anonymous", "banned", "member"];
  const permissionOf = ([, row]: NamedRow) => WRITES[fieldOf(row)] ?? READS[fieldOf(row)] ?? { minimum: "public" };
  const refusedOf = (named: NamedRow) => ROLES.filter((role) => !permits(permissionOf(named), role, false));

  it.each(rows.filter((named) => refusedOf(named).length > 0))("%s", async (...named) => {
    const { row, path, params } = await othersOf(named);
    const refusals = refusedOf(named).flatMap((role) =>
      Object.entries({
        sound: params,
        ...(permits({ minimum: permissionOf(named).minimum }, role, false) ? {} : UNSOUND),
      }).map(([name, each]) => ({
        name: `${role}, ${name}`,
        send: (extension: string) => sendTo(rules.viewers.clientOf(role), row, `${path}${extension}`, each),
        status: 403,
        reason: REASONS[role] ?? "access denied",
      })),
    );
    await expectRefusals(rules.test, refusals);
  });

  /** A request of the row on a record of somebody else's. */
  async function othersOf(named: NamedRow) {
    const [, row] = named;
    const recipe = rules.recipes[fieldOf(row)];
    if (isRead(named) || !recipe) return rules.soundOf(named);
    const { path, attributes } = requestOf(row, await recipe(rules.stage.owner, rules.member));
    return { row, path, params: { [row.resource]: attributes } };
  }
});

describe("a version of another record is 404", () => {
  it.each(rows.filter(([, { path }]) => path.endsWith("/revert")).map(([name]) => name))("%s", async (name) => {
    const recipe = rules.recipes[fieldOf(rowOf(name)[1])];
    if (!recipe) throw new Error(`there is no recipe for ${name}`);
    const [one, other] = [await recipe(rules.member, rules.member), await recipe(rules.member, rules.member)];
    await rules.check([name, "another's", async () => ({ ...one, versionId: other.versionId }), NOT_FOUND]);
  });
});
