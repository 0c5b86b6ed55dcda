/** Limits counted in the memory of the first process, from another one. */
import { beforeEach, expect, it } from "vitest";
import { PrimaryStore } from "../../src/runtime/limits/primary-store.js";

let sent: unknown[];
beforeEach(() => {
  sent = [];
});
const send = (message: unknown): Promise<void> => Promise.resolve(void sent.push(message));

it("sends the counts of one turn of the event loop in one message", async () => {
  const store = new PrimaryStore(send);
  const [requests, addresses] = [store.counter("requests"), store.counter("addresses")];
  void requests.count("user:1");
  void addresses.count("198.51.100.1", 3);
  void requests.read("user:2");
  await new Promise((resolve) => setTimeout(resolve, 20));
  const counts = [
    ["requests", "user:1", 1],
    ["addresses", "198.51.100.1", 3],
    ["requests", "user:2", null],
  ];
  expect(sent).toEqual([{ is: "count", id: 1, counts }]);
});

it("counts by itself where the first process does not answer", async () => {
  const counter = new PrimaryStore(send).counter("requests");
  expect(await counter.count("user:1")).toMatchObject({ points: 1 });
  expect(await counter.count("user:1", 2)).toMatchObject({ points: 3 });
  expect(await counter.read("user:1")).toMatchObject({ points: 3 });
  expect(await counter.read("user:2")).toBeNull();
  expect(sent).toHaveLength(1);
});

it("counts with the first process again once that answers, however late", async () => {
  const counter = new PrimaryStore(send).counter("requests");
  expect(await counter.count("user:1")).toMatchObject({ points: 1 });
  process.emit("message", { is: "counted", id: 1, used: [{ points: 7, msBeforeNext: 1000 }] }, undefined);
  const next = counter.count("user:1");
  await expect.poll(() => sent).toHaveLength(2);
  process.emit("message", { is: "counted", id: 2, used: [{ points: 8, msBeforeNext: 1000 }] }, undefined);
  expect(await next).toMatchObject({ points: 8 });
});
