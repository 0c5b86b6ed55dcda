/** The limits of a run with a million posts, as rows. Pure functions of the figures. */
import { judge, type Verdict } from "../search/targets.js";
import { KNOWN_GALLERY, NEWEST, NEWEST_MEMBERS, RANDOM, TAGS, UNKNOWN_GALLERY } from "./kinds.js";
import type { TrafficOutcome } from "./run.js";

interface Target {
  kind: string;
  /** percentage of the bare server's requests per second */
  least: number;
  aim?: number;
}

export const TARGETS: readonly Target[] = [
  { kind: NEWEST, least: 18, aim: 25 },
  { kind: NEWEST_MEMBERS, least: 18, aim: 25 },
  { kind: TAGS, least: 8, aim: 15 },
  { kind: RANDOM, least: 2, aim: 4 },
  { kind: KNOWN_GALLERY, least: 10 },
  { kind: UNKNOWN_GALLERY, least: 4 },
];

/** MB (10^6 bytes) */
const MEMORY = 400;

/** The limits of the measured kinds. */
export function verdicts({ kinds, memory }: TrafficOutcome): Verdict[] {
  const judged = TARGETS.flatMap(({ kind, least, aim }) => {
    const found = kinds.find(({ name }) => name === kind);
    if (!found) return [];
    const { requestsPerSecond, bare } = found;
    const detail = `${requestsPerSecond.toFixed(0)} of ${bare.toFixed(0)} requests/s${aim === undefined ? "" : `; the aim is ${aim} %`}`;
    const measured = (requestsPerSecond / bare) * 100;
    return judge({ target: kind, measured, bound: least, kind: "at least", unit: "% of bare", detail });
  });
  const resident =
    memory === null
      ? []
      : [
          judge({
            target: "resident memory after all of it",
            measured: memory,
            bound: MEMORY,
            kind: "under",
            unit: "MB",
          }),
        ];
  return [...judged, ...resident];
}
