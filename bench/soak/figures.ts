/** The results of a soak: tables and verdicts from samples. Pure functions. */
import { percentile } from "../search/statistics.js";
import { type Cell, table } from "../search/report.js";
import type { Sample } from "./clients.js";

/** One period, a minute unless the run is shorter. */
export interface Period {
  samples: Sample[];
  /** memory of the server at its end, in MB (10^6 bytes); null if unknown */
  memory: number | null;
  /** event-loop delay of the server in milliseconds */
  loop: { p99: number; max: number } | null;
}

const samplesOf = (periods: readonly Period[]): Sample[] => periods.flatMap(({ samples }) => samples);

/** Share by which memory may grow after the second period. */
const GROWTH = 0.1;
const LOOP_P99 = 100;

/** p50, p99, requests per second, memory and event-loop delay by period. */
export function periodTable(periods: readonly Period[], seconds: number): string {
  const head = ["minute", "requests", "req/s", "p50 ms", "p99 ms", "memory MB", "loop p99 ms", "loop max ms"];
  const rows = periods.map(({ samples, memory, loop }, index): Cell[] => {
    const times = samples.map(({ milliseconds }) => milliseconds);
    return [
      index + 1,
      samples.length,
      samples.length / seconds,
      times.length ? percentile(times, 0.5) : 0,
      times.length ? percentile(times, 0.99) : 0,
      memory ?? "?",
      loop?.p99 ?? "?",
      loop?.max ?? "?",
    ];
  });
  return table(head, rows);
}

/** One line per kind of request: number, p50, p99. */
export function requestTable(periods: readonly Period[]): string {
  const kinds = new Map<string, number[]>();
  for (const { name, milliseconds } of samplesOf(periods)) {
    const times = kinds.get(name) ?? [];
    kinds.set(name, times);
    times.push(milliseconds);
  }
  const rows = [...kinds.keys()].toSorted().map((name): Cell[] => {
    const times = kinds.get(name) ?? [];
    return [name, times.length, percentile(times, 0.5), percentile(times, 0.99)];
  });
  return table(["request", "requests", "p50 ms", "p99 ms"], rows);
}

/** Errors and missing responses: kind of request, status, reason, and number. */
export function errorTable(periods: readonly Period[]): string {
  const counts = new Map<string, { row: [string, string, string]; count: number }>();
  for (const { name, status, reason } of samplesOf(periods)) {
    if (status > 0 && status < 400) continue;
    const row: [string, string, string] = [name, status === 0 ? "no answer" : String(status), reason];
    const key = row.join("\0");
    const known = counts.get(key) ?? { row, count: 0 };
    counts.set(key, { row, count: known.count + 1 });
  }
  if (counts.size === 0) return "no errors";
  const rows = [...counts.values()].toSorted((a, b) => b.count - a.count);
  return table(
    ["request", "status", "reason", "times"],
    rows.map(({ row, count }): Cell[] => [...row, count]),
  );
}

/** A limit, and whether it was met. `isFatal` ones determine the exit code. */
export interface Verdict {
  target: string;
  measured: string;
  held: boolean;
  isFatal: boolean;
}

/** @param faults found by `board verify` */
export function verdicts(periods: readonly Period[], faults: readonly string[]): Verdict[] {
  const samples = samplesOf(periods);
  const count = (status: number) => samples.filter((sample) => sample.status === status).length;
  const loops = periods.flatMap(({ loop }) => loop?.p99 ?? []);
  const late = Math.max(0, ...loops);
  return [
    { target: "no 500", measured: `${count(500)} of ${samples.length}`, held: count(500) === 0, isFatal: true },
    { target: "every request answered", measured: `${count(0)} were not`, held: count(0) === 0, isFatal: true },
    {
      target: "board verify",
      measured: faults.length === 0 ? "nothing wrong" : faults.join("; "),
      held: faults.length === 0,
      isFatal: true,
    },
    {
      target: `event-loop delay, p99 of each minute under ${LOOP_P99} ms`,
      measured: loops.length ? `${late.toFixed(1)} ms` : "not measured",
      held: late < LOOP_P99,
      isFatal: false,
    },
    memoryVerdict(periods),
  ];
}

function memoryVerdict(periods: readonly Period[]): Verdict {
  const target = `memory grows by less than ${GROWTH * 100} % after two minutes`;
  const [base, ...later] = periods.slice(1).flatMap(({ memory }) => memory ?? []);
  if (base === undefined || later.length === 0) return { target, measured: "not measured", held: true, isFatal: false };
  const last = later.at(-1) ?? base;
  const measured = `${base.toFixed(0)} MB after two, ${last.toFixed(0)} MB after ${periods.length}`;
  return { target, measured, held: last <= base * (1 + GROWTH), isFatal: false };
}

export const verdictTable = (all: readonly Verdict[]): string =>
  table(
    ["target", "measured", ""],
    all.map(({ target, measured, held }) => [target, measured, held ? "held" : "MISSED"]),
  );
