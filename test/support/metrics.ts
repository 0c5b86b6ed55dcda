/** `/metrics` as tests read it. */
import { expect } from "vitest";
import type { Client } from "./client.js";

export type Labels = Record<string, string | number>;

/** The metrics of a server at one time. */
export class Sample {
  /** family -> kind, as its `# TYPE` says */
  readonly kinds: Record<string, string> = {};
  /** series -> value; a series as the text has it, labels and all */
  readonly values: Record<string, number> = {};

  constructor(readonly text: string) {
    for (const line of text.split("\n").filter(Boolean)) {
      const [, family, kind] = /^# TYPE (\w+) (\w+)$/.exec(line) ?? [];
      if (family && kind) this.kinds[family] = kind;
      if (line.startsWith("#")) continue;
      const end = line.lastIndexOf(" ");
      this.values[line.slice(0, end)] = Number(line.slice(end + 1));
    }
  }

  /** The value of a series, labels in any order; 0 while there is none. */
  of(name: string, labels: Labels = {}): number {
    const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
    const found = Object.entries(this.values).filter(([series]) => {
      const [own = "", rest = ""] = series.split("{");
      const given = rest
        .replace(/\}$/, "")
        .split(/(?<="),/)
        .filter(Boolean);
      return own === name && given.length === wanted.length && wanted.every((each) => given.includes(each));
    });
    return found[0]?.[1] ?? 0;
  }

  /** All series of a name together. */
  total(name: string): number {
    return Object.entries(this.values)
      .filter(([series]) => series.split("{")[0] === name)
      .reduce((sum, [, value]) => sum + value, 0);
  }
}

/** @throws Error when it is refused */
export async function sample(client: Client): Promise<Sample> {
  const { status, text } = await client.get("/metrics");
  if (status !== 200) throw new Error(`/metrics answered ${status}: ${text}`);
  return new Sample(text);
}

/** By how much a series grows during the work; waits for counts that follow a response. */
export async function growth(
  client: Client,
  name: string,
  labels: Labels,
  work: () => Promise<unknown>,
): Promise<number> {
  const before = (await sample(client)).of(name, labels);
  await work();
  await expect.poll(async () => (await sample(client)).of(name, labels)).toBeGreaterThan(before);
  return (await sample(client)).of(name, labels) - before;
}
