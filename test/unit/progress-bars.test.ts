import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { ProgressBars } from "../../src/operations/commands/progress.js";

/** What is written on a stream that is a terminal or not. */
function written(isTTY: boolean, work: (bars: ProgressBars) => void): string {
  const stream = Object.assign(new PassThrough(), { isTTY, columns: 80, cursorTo: () => true, clearLine: () => true });
  const bars = new ProgressBars(stream as unknown as NodeJS.WriteStream);
  work(bars);
  bars.stop();
  return String(stream.read() ?? "");
}

const twoSteps = (bars: ProgressBars): void => {
  bars.show("rows", 0, 4);
  bars.show("rows", 4, 4);
  bars.show("files", 0, 1000);
};

describe("ProgressBars", () => {
  it("shows a bar for each step", () => {
    const text = written(true, twoSteps);
    expect(text).toContain("0% rows");
    expect(text).toContain("0% files");
  });

  it("shows nothing without a terminal", () => {
    expect(written(false, twoSteps)).toBe("");
  });
});
