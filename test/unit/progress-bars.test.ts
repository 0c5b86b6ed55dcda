import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { ProgressBars, withProgress } from "../../src/operations/commands/progress.js";

/** A stream that is a terminal or not. */
const streamOf = (isTTY: boolean) =>
  Object.assign(new PassThrough(), {
    isTTY,
    columns: 80,
    cursorTo: () => true,
    clearLine: () => true,
  }) as unknown as PassThrough & NodeJS.WriteStream;

/** What is written on it. */
function written(isTTY: boolean, work: (bars: ProgressBars) => void): string {
  const stream = streamOf(isTTY);
  const bars = new ProgressBars(stream);
  work(bars);
  bars.stop();
  return String(stream.read() ?? "");
}

const twoSteps = (bars: ProgressBars): void => {
  bars.show("rows", 0, 4);
  bars.show("rows", 4, 4);
  bars.show("files", 0, 1000);
};

const SHOWN_CURSOR = "\u001B[?25h";

describe("ProgressBars", () => {
  it("shows a bar for each step", () => {
    const text = written(true, twoSteps);
    expect(text).toContain("0% rows");
    expect(text).toContain("0% files");
  });

  it("shows nothing without a terminal", () => {
    expect(written(false, twoSteps)).toBe("");
  });

  it("give the terminal its cursor back when a signal ends the process", () => {
    const stream = streamOf(true);
    void withProgress((show) => {
      show("rows", 0, 4);
      return new Promise(() => undefined);
    }, stream);
    expect(String(stream.read())).not.toContain(SHOWN_CURSOR);
    const atExit = process.listeners("exit").at(-1);
    process.off("exit", atExit as () => void);
    atExit?.(130);
    expect(String(stream.read())).toContain(SHOWN_CURSOR);
  });
});
