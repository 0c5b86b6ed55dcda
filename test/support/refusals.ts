/** Refusals in both formats, which must leave nothing behind. */
import { expect } from "vitest";
import type { TestBoard } from "./board.js";
import type { Answer } from "./client.js";
import { processorTime } from "./timing.js";
import { tracesOf } from "./traces.js";

/** Most processor time for one request that is refused, in milliseconds, unless a test says otherwise. */
const PATIENCE = 3000;

export type Refusals = ReturnType<typeof refusals>;

export function refusals(test: TestBoard) {
  /** Expects the work to change no post, tag, file, version or count, and to cost little. */
  async function leavingNothing<T>(work: () => Promise<T>, milliseconds = PATIENCE): Promise<T> {
    const before = await tracesOf(test);
    let result!: T;
    const spent = await processorTime(async () => void (result = await work()));
    expect(spent).toBeLessThan(milliseconds);
    await expect.poll(() => tracesOf(test)).toEqual(before);
    return result;
  }

  /** Expects the refusal in both formats, in each with its envelope. */
  async function expectRefusal(
    send: (extension: string) => Promise<Answer>,
    status: number,
    reason: string,
    milliseconds = PATIENCE,
  ): Promise<void> {
    const json = await leavingNothing(() => send(".json"), milliseconds);
    expect([json.status, json.json?.success, json.json?.reason]).toEqual([status, false, reason]);
    const xml = await leavingNothing(() => send(".xml"), milliseconds);
    expect([xml.status, xml.xml?.name, xml.xml?.attributes]).toEqual([
      status,
      "response",
      { success: "false", reason },
    ]);
  }

  return { leavingNothing, expectRefusal };
}
