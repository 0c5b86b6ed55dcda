import { describe, expect, it } from "vitest";
import { ConcurrencyLimit } from "../../src/http/backpressure.js";

const overloaded = expect.objectContaining({ status: 503 }) as Error;

describe("a request that is refused for MAX_REQUESTS", () => {
  it.each([1, 2])("frees what it counted for its address, with a weight of %i", async (weight) => {
    const limit = new ConcurrencyLimit({ MAX_REQUESTS: 1, MAX_REQUESTS_PER_ADDRESS: 3 });
    const end = await limit.begin("192.0.2.1");
    const begin = async () => limit.begin("192.0.2.2", weight);
    for (let count = 0; count < 4; count += 1) await expect(begin()).rejects.toEqual(overloaded);
    end();
    (await begin())();
  });
});
