/** One attack on a board, and its effects on the board and the ordinary users. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Attack, Order, Tally } from "./attack.js";
import { type AttackedBoard, attackerNo, memberNo } from "./board.js";
import type { OrdinaryOrder, Sample } from "./ordinary.js";

const program = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

const WARMING_MS = 2500;
const BASELINE_MS = 1000;
/** The ordinary ones ask on for so long after the attack. */
const AFTERWARDS_MS = 500;
const SAMPLING_MS = 200;
const BAN_AFTER_MS = 1000;
/** In so long the disk is to be what it was, in milliseconds; what a client sent slowly is kept until it is given up. */
const CLEARING_MS = 5_000;
/** What goes on after an attack has so long to end, and has ended when nothing was written for as long as SETTLED_MS. */
const LINGERING_MS = 20_000;
const SETTLED_MS = 2_000;
const DEFAULT_SECONDS = 2;
const GRACE_SECONDS = 5;

export interface Outcome {
  name: string;
  tally: Tally;
  /** seconds that it took */
  seconds: number;
  baseline: Sample[];
  /** of those who came from other addresses than the attacker */
  samples: Sample[];
  /** bytes */
  memory: { before: number; peak: number };
  disk: { before: number; peak: number; after: number };
  /** milliseconds; null when the server did not tell */
  loopDelay: number | null;
  isAlive: boolean;
  /** tables in which something changed; null when the database did not tell */
  written: string[] | null;
  /** requests answered with 500 */
  faults: number;
}

const run = (name: string, order: object): ChildProcess =>
  fork(program(name), [JSON.stringify(order)], {
    execArgv: ["--import", "tsx"],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });

/** The next message of a process; null when it has ended. */
async function heard<T>(child: ChildProcess, milliseconds: number): Promise<T | null> {
  const signal = AbortSignal.timeout(milliseconds);
  const ended = once(child, "exit", { signal }).then(() => null);
  const message = once(child, "message", { signal }).then(([received]) => received as T);
  return Promise.race([message, ended]).catch(() => null);
}

/** Loopback addresses of nobody else: of attackers 127.2.x.y, of ordinary ones 127.3.x.y. */
const addresses = (network: number, index: number, count: number): string[] =>
  Array.from({ length: count }, (_, each) => `127.${network}.${index % 250}.${each + 1}`);

/** Highest values of what is looked at again and again. */
class Peaks implements Disposable {
  memory: number;
  disk: number;
  private readonly timer: NodeJS.Timeout;

  constructor(board: AttackedBoard) {
    this.memory = board.memory;
    this.disk = board.disk;
    this.timer = setInterval(() => {
      this.memory = Math.max(this.memory, board.memory);
      this.disk = Math.max(this.disk, board.disk);
    }, SAMPLING_MS);
  }

  [Symbol.dispose](): void {
    clearInterval(this.timer);
  }
}

/** Has a board that was just started asked by the ordinary ones, until its code and caches are warm. */
export async function warmUp(board: AttackedBoard): Promise<void> {
  const { url, facts } = board;
  const asked: OrdinaryOrder = { url, facts, members: [memberNo(0)], addresses: ["127.5.0.1"], address: "127.5.0.2" };
  const ordinary = run("ordinary.ts", asked);
  try {
    ordinary.send("start");
    await sleep(WARMING_MS);
    ordinary.send("stop");
    await heard(ordinary, 60_000);
  } finally {
    ordinary.kill("SIGKILL");
  }
}

/** @param index of the round: each has another requester and address */
export async function attackRound(board: AttackedBoard, attack: Attack, index: number): Promise<Outcome> {
  const { url, facts } = board;
  const visitors = addresses(3, index, 200);
  const own = attack.fromVisitorsAddress ? visitors : addresses(2, index, 250);
  const order: Order = { attack: attack.name, url, facts, member: attackerNo(index), addresses: own };
  const attacker = run("attacker.ts", order);
  const members = [0, 1, 2, 3].map((each) => memberNo(index * 4 + each));
  const asked: OrdinaryOrder = { url, facts, members, addresses: visitors, address: `127.4.${index % 250}.1` };
  const ordinary = run("ordinary.ts", asked);
  try {
    if (!(await heard(attacker, 60_000))) throw new Error(`${attack.name}: the attacker did not start`);
    return await measured(board, attack, index, { attacker, ordinary });
  } finally {
    attacker.kill("SIGKILL");
    ordinary.kill("SIGKILL");
  }
}

async function measured(
  board: AttackedBoard,
  attack: Attack,
  index: number,
  { attacker, ordinary }: Record<"attacker" | "ordinary", ChildProcess>,
): Promise<Outcome> {
  const seconds = attack.seconds ?? DEFAULT_SECONDS;
  const before = { digest: await board.digest(), memory: board.memory, disk: board.disk, faults: board.faults };
  using peaks = new Peaks(board);
  ordinary.send("start");
  await sleep(BASELINE_MS);
  await board.loopDelay();
  const began = Date.now();
  attacker.send(seconds);
  const ban = attack.banned ? sleep(BAN_AFTER_MS).then(() => board.ban(attackerNo(index))) : undefined;
  const tally = await heard<Tally>(attacker, (seconds + GRACE_SECONDS) * 1000);
  attacker.kill("SIGKILL");
  const took = (Date.now() - began) / 1000;
  await ban;
  await sleep(AFTERWARDS_MS);
  ordinary.send("stop");
  const samples = (await heard<Sample[]>(ordinary, 60_000)) ?? [];
  const loopDelay = await board.loopDelay();
  if (attack.lingers) await settled(board);
  const disk = attack.keepsFiles ? before.disk : await cleared(board, before.disk);
  return {
    name: attack.name,
    tally: tally ?? { requests: 0, sent: 0, statuses: {} },
    seconds: took,
    baseline: samples.filter(({ at }) => at < began),
    samples: samples.filter(({ at, who }) => at >= began && !(attack.fromVisitorsAddress && who === "visitor")),
    memory: { before: before.memory, peak: peaks.memory },
    disk: { before: before.disk, peak: peaks.disk, after: disk },
    loopDelay,
    isAlive: board.isAlive,
    written: changed(before.digest, await board.digest(), attack.writes ?? []),
    faults: board.faults - before.faults,
  };
}

/** Waits until nothing was written for a while, or that is taking too long: the next attack is not to be blamed for it. */
async function settled(board: AttackedBoard): Promise<void> {
  const end = Date.now() + LINGERING_MS;
  let [last, since] = ["", Date.now()];
  while (Date.now() < end && Date.now() - since < SETTLED_MS) {
    const now = JSON.stringify(await board.digest());
    if (now !== last) [last, since] = [now, Date.now()];
    await sleep(200);
  }
}

/** What the disk has when it is what it was, or when that is taking too long. */
async function cleared(board: AttackedBoard, before: number): Promise<number> {
  const end = Date.now() + CLEARING_MS;
  while (board.disk > before && Date.now() < end) await sleep(100);
  return board.disk;
}

type Digest = Record<string, string> | null;

function changed(before: Digest, after: Digest, allowed: readonly string[]): string[] | null {
  if (!before || !after) return null;
  return Object.keys(after).filter((table) => before[table] !== after[table] && !allowed.includes(table));
}
