/** Many refusals at once, each in both formats: the same in both, and nothing is left behind. */
import { expect } from "vitest";
import type { TestBoard } from "./board.js";
import type { Answer } from "./client.js";
import { digestOf, filesOf } from "./traces.js";

export type Extension = ".json" | ".xml";

/** The expected refusal of a request. */
export interface Expected {
  status: number;
  reason: string;
  /** the messages by field, of a record (420), of a parameter (424), or of a taken name (423) */
  errors?: Record<string, string[]>;
  /** further members of the envelope, such as the post that has the file already */
  extra?: Record<string, string | number>;
}

/** A request that is refused. */
export interface Refusal extends Expected {
  /** what is wrong with it */
  name: string;
  send: (extension: Extension) => Promise<Answer>;
}

/** A parameter or field that is wrong: the reason is its name and the message. */
export const faulty = (status: 420 | 423 | 424, field: string, message: string): Expected => ({
  status,
  reason: `${field} ${message}`,
  errors: { [field]: [message] },
});

/** Number of concurrent requests. */
const AT_ONCE = 16;

/**
 * Expects every request to be refused in both formats with status, reason, fields and nothing else, and afterwards
 * each table and file to be as before.
 * @param leaving names of tables that a refusal may write to
 */
export async function expectRefusals(
  test: TestBoard,
  refusals: readonly Refusal[],
  leaving: readonly string[] = [],
): Promise<void> {
  const digest = async () => {
    const tables = Object.entries(await digestOf(test));
    return {
      tables: Object.fromEntries(tables.filter(([name]) => !leaving.includes(name))),
      files: await filesOf(test),
    };
  };
  expect(refusals.length).toBeGreaterThan(0);
  const before = await digest();
  const actual = [];
  for (let index = 0; index < refusals.length; index += AT_ONCE) {
    actual.push(...(await Promise.all(refusals.slice(index, index + AT_ONCE).map(actualOf))));
  }
  expect(actual).toEqual(refusals.map(expectedOf));
  // what was received is removed when the answer has been sent
  await expect.poll(digest).toEqual(before);
}

/** The responses in both formats. */
async function actualOf({ name, send }: Refusal) {
  const [json, xml] = await Promise.all([send(".json"), send(".xml")]);
  return [name, json.status, json.json as object, xml.status, xml.xml?.name, xml.xml?.attributes, xml.xml?.elements];
}

/** The expected responses in both formats. */
function expectedOf({ name, status, reason, errors, extra = {} }: Refusal) {
  const envelope = { success: false, reason, message: reason, ...(errors ? { errors } : {}), ...extra };
  const texts = Object.entries(extra).map(([key, value]) => [key, String(value)]);
  const attributes = { success: "false", reason, ...(Object.fromEntries(texts) as object) };
  return [name, status, envelope, status, "response", attributes, undefined];
}
