/** Every write by users with and without the right, by both APIs, and with invalid parameters. */
import { parametersOf, withValue, wrongValuesOf } from "../support/bad-parameters.js";
import type { Params } from "../support/client.js";
import { fieldsOf } from "../support/permission-walk.js";
import { ENDS_KEYS, type Input } from "../support/recipes.js";
import { ASKED, fieldOf, isRead, type NamedRow, requestOf, rows, sendTo } from "../support/rest-rows.js";
import type { TestUser } from "../support/factory.js";
import { sharedSchema } from "../../src/http/server.js";
import type { RecordingClient } from "./recorder.js";
import type { Cast } from "./stage.js";

/** Of what is wrong with parameters every so many is sent. */
const SAMPLE = 2;

/** These would sign everybody out, or need a secret that nobody has in a recording. */
const isLeft = (field: string): boolean => ENDS_KEYS.has(field) || /Session|recoverAccount/.test(field);

const isMissing = (input: Input | undefined): input is undefined => input === undefined;

export async function recordWrites(cast: Cast): Promise<void> {
  for (const named of rows.filter((each) => !isRead(each))) await recordRow(cast, named);
  await recordMutations(cast);
  await recordWrongParameters(cast);
}

async function recordRow(cast: Cast, named: NamedRow): Promise<void> {
  const field = fieldOf(named[1]);
  if (isLeft(field)) return;
  const { users } = cast;
  const askers: [RecordingClient, TestUser | null, string][] = [
    [cast.visitor, null, "json"],
    [cast.banned, users.member, "xml"],
    [cast.member, users.member, "xml"],
    [cast.browser, users.browser, "json"],
    [cast.admin, users.admin, "json"],
    [cast.admin, users.admin, "xml"],
  ];
  for (const [client, by, format] of askers) await write(cast, named, client, by, format);
}

async function write(
  { recipes, stage }: Cast,
  [, row]: NamedRow,
  client: RecordingClient,
  by: TestUser | null,
  format: string,
): Promise<void> {
  const input = await recipes[fieldOf(row)]?.(by ?? stage.owner, by);
  if (isMissing(input)) return;
  const { path, attributes } = requestOf(row, input);
  const isBare = row.method === "GET" || Object.keys(attributes).length === 0;
  await sendTo(client, row, `${path}.${format}`, isBare ? attributes : { [row.resource]: attributes });
}

/** Each mutation, with the whole of what its payload says of its own. */
async function recordMutations({ recipes, stage, visitor, member, admin, users }: Cast): Promise<void> {
  const fields = fieldsOf(sharedSchema().getMutationType());
  for (const { name, args } of fields) {
    if (isLeft(name)) continue;
    const type = args[0]?.type;
    const [head, argument] = type ? [`($input: ${String(type)})`, "(input: $input)"] : ["", ""];
    const document = `mutation${head} { ${name}${argument} { __typename } }`;
    for (const [client, by] of [
      [visitor, null],
      [member, users.member],
      [admin, users.admin],
    ] as const) {
      const input = await recipes[name]?.(by ?? stage.owner, by);
      if (!isMissing(input)) await client.graphql(document, { input });
    }
  }
}

/** Values of the wrong type, of all rows. */
async function recordWrongParameters({ recipes, stage, admin, users }: Cast): Promise<void> {
  let count = 0;
  for (const [name, row, chosen] of rows) {
    if (isLeft(fieldOf(row))) continue;
    const input = await recipes[fieldOf(row)]?.(users.admin, users.admin);
    const { path, attributes } = requestOf(row, input ?? { id: 1, post_id: stage.records.posts });
    const params: Params = input ? { [row.resource]: attributes } : { ...ASKED[name], ...chosen };
    for (const field of parametersOf(row)) {
      for (const { value } of wrongValuesOf(field)) {
        count += 1;
        if (count % (SAMPLE * (row.method === "GET" ? 4 : 1)) !== 0) continue;
        const format = count % 3 === 0 ? "xml" : "json";
        await sendTo(admin, row, `${path}.${format}`, withValue(params, field.path, value));
      }
    }
  }
}
