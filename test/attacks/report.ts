/** The limits of an attack, and the table of a run. */
import { percentile } from "../../bench/search/statistics.js";
import { type Cell, table } from "../../bench/search/report.js";
import type { Outcome } from "./round.js";
import type { Sample } from "./ordinary.js";

export interface Limits {
  /** of the ordinary ones' requests, in milliseconds */
  p99: number;
  /** of all processes together, in bytes */
  memory: number;
}

export const LIMITS: Limits = { p99: 250, memory: 1e9 };

/** On a machine that does other things as well, where figures say little: that nobody is kept out for long, or the machine filled. */
export const BUSY_LIMITS: Limits = { p99: 5_000, memory: 2e9 };

/** What the file system itself needs, in bytes. */
const DISK_SLACK = 64 * 1024;
/** Without so many requests of the ordinary ones nothing was measured. */
const FEWEST_SAMPLES = 20;

export interface Figures {
  p50: number;
  p99: number;
  max: number;
  faults: string[];
}

/** NaN where nobody asked. */
export function figuresOf(samples: readonly Sample[]): Figures {
  const times = samples.map(({ milliseconds }) => milliseconds);
  const share = (part: number) => (times.length === 0 ? Number.NaN : percentile(times, part));
  const faults = samples.flatMap(({ fault }) => fault ?? []);
  return { p50: share(0.5), p99: share(0.99), max: share(1), faults };
}

const of = (samples: readonly Sample[], who: Sample["who"]) => figuresOf(samples.filter((each) => each.who === who));

/** The limits that an attack exceeded, as texts; none if the board withstood it. */
export function exceededLimits(outcome: Outcome, limits: Limits = LIMITS): string[] {
  const { samples, memory, disk, isAlive, written, faults } = outcome;
  const all = figuresOf(samples);
  const [fault] = all.faults;
  const broken: (string | false | undefined)[] = [
    !isAlive && "the server ended",
    samples.length < FEWEST_SAMPLES && `only ${samples.length} ordinary requests`,
    fault !== undefined && `${all.faults.length} of ${samples.length} ordinary requests failed (${fault})`,
    ...(["visitor", "member"] as const).map((who) => {
      const { p99 } = of(samples, who);
      return p99 >= limits.p99 && `the ${who}'s p99 is ${p99.toFixed(0)} ms`;
    }),
    memory.peak >= limits.memory && `${mega(memory.peak)} of memory`,
    disk.after > disk.before + DISK_SLACK && `${mega(disk.after - disk.before)} left on the disk`,
    written === null && "the database could not be asked",
    written !== null && written.length > 0 && `written: ${written.join(", ")}`,
    faults > 0 && `${faults} answers of status 500`,
  ];
  return broken.filter((text) => typeof text === "string");
}

/** Whether the next attack is to be on another board: what this one left would be counted as that one's. */
export const isSpoiled = ({ isAlive, memory, disk, written }: Outcome): boolean =>
  !isAlive || memory.peak >= LIMITS.memory || disk.after > disk.before + DISK_SLACK || written?.length !== 0;

const mega = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;
const statusesOf = ({ tally }: Outcome): string =>
  Object.entries(tally.statuses)
    .map(([status, count]) => `${count}×${status === "0" ? "none" : status}`)
    .join(" ");

const HEAD = [
  "attack",
  "requests",
  "MB sent",
  "seconds",
  "p99 before",
  "visitor p50",
  "p99",
  "max",
  "member p50",
  "p99",
  "max",
  "failed",
  "MB before",
  "MB peak",
  "disk +MB",
  "left MB",
  "loop ms",
  "answers",
  "verdict",
];

function row(outcome: Outcome, limits: Limits): Cell[] {
  const { name, tally, seconds, baseline, samples, memory, disk, loopDelay } = outcome;
  const [visitor, member] = [of(samples, "visitor"), of(samples, "member")];
  const whole = (value: number): Cell => (Number.isFinite(value) ? String(Math.round(value)) : "-");
  return [
    name,
    whole(tally.requests),
    (tally.sent / 1e6).toFixed(1),
    seconds.toFixed(1),
    whole(figuresOf(baseline).p99),
    ...[visitor, member].flatMap(({ p50, p99, max }) => [whole(p50), whole(p99), whole(max)]),
    whole(figuresOf(samples).faults.length),
    whole(memory.before / 1e6),
    whole(memory.peak / 1e6),
    whole((disk.peak - disk.before) / 1e6),
    whole((disk.after - disk.before) / 1e6),
    whole(loopDelay ?? Number.NaN),
    statusesOf(outcome),
    exceededLimits(outcome, limits).join("; ") || "held",
  ];
}

/** An attack's figures in one line, with their names. */
export function outcomeLine(outcome: Outcome, limits: Limits): string {
  const cells = row(outcome, limits);
  return HEAD.map((name, index) => (index === 0 ? "" : `${name} `) + cells[index]).join(", ");
}

/** One line for each attack. Times are milliseconds, memory is that of all processes together. */
export const outcomeTable = (outcomes: readonly Outcome[], limits: Limits = LIMITS): string =>
  table(
    HEAD,
    outcomes.map((outcome) => row(outcome, limits)),
  );
