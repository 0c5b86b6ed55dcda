import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import type { Progress } from "../../src/lib/progress.js";
import { withProgress } from "../../src/operations/commands/progress.js";

/** A stream that is a terminal or not. */
const streamOf = (isTTY: boolean) =>
  Object.assign(new PassThrough(), {
    isTTY,
    columns: 80,
    cursorTo: () => true,
    clearLine: () => true,
  }) as unknown as PassThrough & NodeJS.WriteStream;

/** What was written on it so far: `read` returns one piece on Node 26, and all of them before. */
function textOf(stream: PassThrough): string {
  let text = "";
  const next = () => stream.read() as Buffer | null;
  for (let piece = next(); piece !== null; piece = next()) text += piece.toString();
  return text;
}

/** What is written meanwhile. */
async function written(isTTY: boolean, work: (show: Progress) => Promise<void>): Promise<string> {
  const stream = streamOf(isTTY);
  await withProgress(work, stream);
  return textOf(stream);
}

const twoSteps = (show: Progress): Promise<void> => {
  show("rows", 0, 4);
  show("rows", 4, 4);
  show("files", 0, 1000);
  return Promise.resolve();
};

const SHOWN_CURSOR = "\u001B[?25h";

describe("progress bars", () => {
  it("show one for each step", async () => {
    const text = await written(true, twoSteps);
    expect(text).toContain("0% rows");
    expect(text).toContain("0% files");
  });

  it("show nothing without a terminal", async () => {
    expect(await written(false, twoSteps)).toBe("");
  });

  it("give the terminal its cursor back when a signal ends the process", () => {
    const stream = streamOf(true);
    void withProgress((show) => {
      show("rows", 0, 4);
      return new Promise(() => undefined);
    }, stream);
    expect(textOf(stream)).not.toContain(SHOWN_CURSOR);
    const atExit = process.listeners("exit").at(-1);
    process.off("exit", atExit as () => void);
    atExit?.(130);
    expect(textOf(stream)).toContain(SHOWN_CURSOR);
  });
});
