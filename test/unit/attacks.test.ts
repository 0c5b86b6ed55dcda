/** The harness of `npm run test:attacks`: which figures exceed a limit. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { expect, describe, it } from "vitest";
import { type Cost, OperationLimits, HTTP } from "../../graphql/shared/operation-limits.js";
import { loadConfig } from "../../src/config.js";
import { sharedSchema } from "../../src/http/server.js";
import { PAGES } from "../attacks/kinds/documents.js";
import { attackNamed, attacks } from "../attacks/list.js";
import type { Sample } from "../attacks/ordinary.js";
import { diskUse, familyOf, memoryOf } from "../attacks/processes.js";
import { exceededLimits, outcomeTable } from "../attacks/report.js";
import type { Outcome } from "../attacks/round.js";
import { Folder } from "../support/folder.js";

/** A hundred requests, of which every tenth takes 40 ms. */
const asked = (who: Sample["who"]): Sample[] =>
  Array.from({ length: 100 }, (_, index) => ({ who, at: index * 20, milliseconds: index % 10 === 0 ? 40 : 4 }));

const HELD: Outcome = {
  name: "a flood",
  tally: { requests: 10, sent: 2e6, statuses: { 200: 4, 421: 6 } },
  seconds: 2,
  baseline: asked("visitor"),
  samples: [...asked("visitor"), ...asked("member")],
  memory: { before: 4e8, peak: 5e8 },
  disk: { before: 1e6, peak: 3e6, after: 1e6 },
  loopDelay: 12,
  isAlive: true,
  written: [],
  faults: 0,
};

describe("the limits of an attack", () => {
  it("hold if no user notices anything", () => {
    expect(exceededLimits(HELD)).toEqual([]);
  });

  it.each<[string, Partial<Outcome>, string[]]>([
    ["the server ended", { isAlive: false }, ["the server ended"]],
    ["too little was measured", { samples: asked("member").slice(0, 10) }, ["only 10 ordinary requests"]],
    [
      "one request failed",
      { samples: [...asked("member"), { who: "member", at: 0, milliseconds: 5, fault: "503 busy" }] },
      ["1 of 101 ordinary requests failed (503 busy)"],
    ],
    [
      "two of a hundred took 250 ms",
      { samples: asked("visitor").map((each, index) => (index < 2 ? { ...each, milliseconds: 250 } : each)) },
      ["the visitor's p99 is 250 ms"],
    ],
    ["memory reached 1 GB", { memory: { before: 4e8, peak: 1e9 } }, ["1000 MB of memory"]],
    ["a file was left", { disk: { before: 1e6, peak: 3e6, after: 3e6 } }, ["2 MB left on the disk"]],
    ["a table was written", { written: ["comments"] }, ["written: comments"]],
    ["the database was unavailable", { written: null }, ["the database could not be asked"]],
    ["a request was answered with 500", { faults: 2 }, ["2 answers of status 500"]],
  ])("are exceeded when %s", (_, change, broken) => {
    expect(exceededLimits({ ...HELD, ...change })).toEqual(broken);
  });

  it("are reported in a table with the figures of each attack", () => {
    const [, line] = outcomeTable([HELD]).split("\n");
    expect(line?.split(/\s{2,}/)).toEqual(
      ["a flood", "10", "2.0", "2.0", "40", "4", "40", "40", "4", "40", "40", "0", "400", "500", "2", "0", "12"].concat(
        "4×200 6×421",
        "held",
      ),
    );
  });
});

describe("attacks", () => {
  it("are found by their unique names", () => {
    const names = attacks.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.map((name) => attackNamed(name).name)).toEqual(names);
    expect(() => attackNamed("none")).toThrow('there is no attack "none"');
  });
});

describe("the costliest pages of an attack", () => {
  it.each(PAGES)("cost almost the maximum of a query: %s", async (query) => {
    const limits = new OperationLimits(sharedSchema(), loadConfig({}));
    const document = limits.read(query);
    if (!("kind" in document)) throw new Error(document.join("\n"));
    let requested = 0;
    const charge = (cost: Cost) => Promise.resolve(void (requested = cost.requested));
    await limits.admit({ document, operationName: null, variables: {} }, HTTP, charge);
    expect(requested).toBeGreaterThan(4_000);
  });
});

describe("the resources of processes", () => {
  it("are summed over all descendants", async () => {
    const parent = spawn("sh", ["-c", "sleep 60 & wait"], { stdio: "ignore" });
    await once(parent, "spawn");
    const pid = parent.pid as number;
    await expect.poll(() => familyOf([pid]).length).toBe(2);
    expect(memoryOf(familyOf([pid]))).toBeGreaterThan(memoryOf([pid]));
    for (const each of familyOf([pid])) process.kill(each);
    await once(parent, "exit");
    expect(memoryOf([pid])).toBe(0);
  });

  it("on disk are the sizes of all files in a folder, 0 without a folder", async () => {
    await using folder = await Folder.make();
    const empty = diskUse(folder.path);
    await mkdir(folder.at("below"));
    await folder.write("below/file", Buffer.alloc(100_000, "a"));
    expect(diskUse(folder.path) - empty).toBeGreaterThanOrEqual(100_000);
    expect(diskUse(folder.at("none"))).toBe(0);
  });
});
