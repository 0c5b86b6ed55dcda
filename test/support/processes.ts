/** Several processes and many requests: the running processes (from /proc), and which of them responded with which status (from the log). */
import { readFileSync } from "node:fs";
import { expect } from "vitest";
import type { Answer } from "./client.js";
import type { ServerProcess } from "./server-process.js";

const read = (file: string): string => {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return ""; // the process is gone
  }
};

/** The server processes below this one; its database is below it as well. */
export const workers = (pid: number): number[] =>
  read(`/proc/${pid}/task/${pid}/children`)
    .split(" ")
    .filter((child) => read(`/proc/${child}/cmdline`).includes("main.js"))
    .map(Number);

/** Whether the process runs: one that has ended and was not waited for does not. */
export const isAlive = (pid: number): boolean =>
  !["", "Z", "X"].includes(/\) (\w) /.exec(read(`/proc/${pid}/stat`))?.[1] ?? "");

/** The processes that wrote of these requests in the server's log. */
export async function answeredBy(server: ServerProcess, answers: Answer[]): Promise<number[]> {
  const ids = new Set(answers.map(({ headers }) => headers.get("x-request-id")));
  const lines = () =>
    server.output
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line) as { pid: number; req?: { id: string } })
      .filter(({ req }) => req && ids.has(req.id));
  await expect.poll(() => lines().length).toBe(answers.length);
  return [...new Set(lines().map(({ pid }) => pid))];
}

/** Runs work this many times concurrently. */
export const times = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

/** Number of responses by status. */
export function tally(answers: Answer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
