import { type Command, InvalidArgumentError } from "commander";
import type { PostRange } from "../thumbnails.js";
import { print, withBoard } from "./command.js";
import { withProgress } from "./progress.js";
import { MAX_INT } from "../../lib/integers.js";

/** `7`, `1..100`, `100..`, `..100` */
function postRange(text: string): PostRange {
  const [, from = "", dots, to = ""] = /^(\d{0,10})(\.\.)?(\d{0,10})$/.exec(text) ?? [];
  if (from + to === "") throw new InvalidArgumentError("must be the id of a post, or a range: 1..100, 100.., ..100.");
  const range = { from: Number(from || 1), to: Number(to || (dots ? MAX_INT : from)) };
  if (Math.max(range.from, range.to) > MAX_INT) throw new InvalidArgumentError("is beyond the highest possible id.");
  if (range.from > range.to) throw new InvalidArgumentError("ends before it begins.");
  return range;
}

const ALL: PostRange = { from: 1, to: MAX_INT };

const regenerate = ({ posts = ALL, missing }: { posts?: PostRange; missing?: boolean }): Promise<void> =>
  withBoard(async (board) => {
    const range = { ...posts, isMissing: missing };
    const report = await withProgress((onProgress) => board.thumbnails.regenerate(range, onProgress));
    print(report);
    if (report.failed > 0) process.exitCode = 1;
  });

export function register(program: Command): void {
  program
    .command("regenerate-thumbnails")
    .description("regenerate thumbnails and samples of posts from the originals")
    .option("--posts <range>", "range of post ids: 7, 1..100, 100.. or ..100; by default all", postRange)
    .option(
      "--missing",
      "only of files without thumbnails, including files that exceeded the limits of time or memory before",
    )
    .action(regenerate);
}
