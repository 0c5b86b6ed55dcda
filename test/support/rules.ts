/** Rules of single operations as data: the request of a row, and the expected refusal. */
import type { Role } from "../../scripts/roles.js";
import type { Params } from "./client.js";
import type { TestUser } from "./factory.js";
import { type Matrix, startMatrix } from "./matrix.js";
import { Viewers } from "./permission-walk.js";
import type { Input } from "./recipes.js";
import { expectRefusals, type Expected, type Extension } from "./refusal-matrix.js";
import { requestOf, rowOf, sendTo } from "./rest-rows.js";
import type { Columns, Stage } from "./stage.js";

/** A request that is refused: the row, in words what is wrong, what is sent, and what is answered. */
export type Rule = [row: string, what: string, make: () => Promise<Input>, expected: Expected];

export const DENIED: Expected = { status: 403, reason: "access denied" };
export const NOT_FOUND: Expected = { status: 404, reason: "not found" };
export const locked = (reason: string): Expected => ({ status: 422, reason });
export const exists = (reason: string): Expected => ({ status: 423, reason });

type Table = Parameters<Stage["another"]>[0];

export interface Rules extends AsyncDisposable, Pick<Matrix, "test" | "stage" | "recipes" | "soundOf"> {
  viewers: Viewers;
  /** the requester, unless a rule says otherwise */
  member: TestUser;
  /** A record like the stage's own, of the Member's. */
  own: (table: Table, columns?: Columns) => Promise<number>;
  /** @param leaving names of tables that the refusal may write to */
  check: (rule: Rule, roles?: readonly Role[], leaving?: readonly string[]) => Promise<void>;
}

export async function startRules(): Promise<Rules> {
  const { test, stage, recipes, soundOf, ...matrix } = await startMatrix();
  const viewers = await Viewers.make(test);
  const member = viewers.userOf("member") as TestUser;
  return {
    test,
    stage,
    recipes,
    soundOf,
    viewers,
    member,
    own: (table, columns = {}) => stage.another(table, { creator_id: member.id, updater_id: member.id, ...columns }),
    async check([name, what, make, expected], roles = ["member"], leaving = []) {
      const [, row] = rowOf(name);
      const { path, attributes } = requestOf(row, await make());
      const params: Params = Object.keys(attributes).length > 0 ? { [row.resource]: attributes } : {};
      const refusals = roles.map((role) => ({
        name: `${what} (${role})`,
        send: (extension: Extension) => sendTo(viewers.clientOf(role), row, `${path}${extension}`, params),
        ...expected,
      }));
      await expectRefusals(test, refusals, leaving);
    },
    [Symbol.asyncDispose]: () => matrix[Symbol.asyncDispose](),
  };
}
