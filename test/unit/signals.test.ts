/** The signals by which an operator stops the process. */
import { afterEach, expect, it, vi } from "vitest";
import { listenForSignals } from "../../src/lib/signals.js";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const before = SIGNALS.map((signal) => process.listeners(signal));

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  for (const [index, signal] of SIGNALS.entries())
    for (const listener of process.listeners(signal))
      if (!before[index]?.includes(listener)) process.off(signal, listener);
});

it("a second signal ends the process at once, unless it comes with the first, also after the clock was set back", async () => {
  vi.useFakeTimers({ toFake: ["Date", "performance"] });
  const exit = vi.spyOn(process, "exit").mockReturnValue(undefined as never);
  const stop = listenForSignals();
  process.emit("SIGINT");
  process.emit("SIGINT"); // Ctrl-C under npm
  expect([await stop.wait(), exit.mock.calls]).toEqual(["interrupt", []]);
  vi.setSystemTime(Date.now() - 3_600_000);
  vi.advanceTimersByTime(2_000);
  process.emit("SIGINT");
  expect(exit.mock.calls).toEqual([[1]]);
});
