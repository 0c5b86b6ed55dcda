/** Attempts of which a limited number may fail, counted where reading takes time. */
import { once } from "node:events";
import { expect, it } from "vitest";
import { failure } from "../../src/errors.js";
import { Attempts } from "../../src/runtime/limits/attempts.js";
import type { Counter } from "../../src/runtime/limits/store.js";

it("an attempt is refused if another one failed while the failures were read", async () => {
  const signals = new EventTarget();
  const signal = (name: string) => signals.dispatchEvent(new Event(name));
  let failures = 0;
  let whileReading = async (): Promise<unknown> => undefined;
  const counter: Counter = {
    count: () => ({ points: (failures += 1), msBeforeNext: 1000 }),
    async read() {
      const read = { points: failures, msBeforeNext: 1000 };
      await whileReading();
      return read;
    },
  };
  const attempts = new Attempts(counter, 1, () => failure("failed_upload_limit", { limit: 1 }));
  const running = once(signals, "running");
  const first = attempts.run(["user:1"], async (fail) => {
    const told = once(signals, "fail");
    signal("running");
    await told;
    await fail();
  });
  await running;
  whileReading = () => {
    signal("fail");
    return first;
  };
  await expect(attempts.run(["user:1"], () => Promise.resolve())).rejects.toMatchObject({ status: 421 });
});
