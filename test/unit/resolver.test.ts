/** Names of sources are resolved by a resolver with a deadline, without occupying the threads of `dns.lookup`. */
import { createSocket, type Socket } from "node:dgram";
import { lookup } from "node:dns/promises";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import bcrypt from "bcrypt";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nameResolver } from "../../src/sources/resolver.js";

const A = 1;
const AAAA = 28;

/** The data of the records that a name server answers with, by type; null for no answer at all. */
type Records = Partial<Record<number, number[][]>> | null;

/** A name server on this machine; it answers questions for any name. */
async function startNameServer(records: Records): Promise<{ socket: Socket; server: string; asked: () => number }> {
  const socket = createSocket("udp4");
  let asked = 0;
  socket.on("message", (question, { port, address }) => {
    asked += 1;
    if (records) socket.send(answerTo(question, records), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  return { socket, server: `127.0.0.1:${socket.address().port}`, asked: () => asked };
}

/** RFC 1035: the header, the question as sent, and an answer for each record, whose name points to the question's. */
function answerTo(message: Buffer, records: NonNullable<Records>): Buffer {
  const end = message.indexOf(0, 12) + 5;
  const question = message.subarray(12, end);
  const type = question.readUInt16BE(question.length - 4);
  const found = records[type] ?? [];
  const header = Buffer.from(message.subarray(0, 12));
  header.writeUInt16BE(0x8180, 2);
  header.writeUInt16BE(found.length, 6);
  header.fill(0, 8);
  const answers = found.map((data) => Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length, ...data]));
  return Buffer.concat([header, question, ...answers]);
}

let folder: string;
const sockets: Socket[] = [];
const serverOf = async (records: Records) => {
  const started = await startNameServer(records);
  sockets.push(started.socket);
  return started;
};
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "names-"));
});
afterAll(async () => {
  for (const socket of sockets) socket.close();
  await rm(folder, { recursive: true });
});

const IPV6 = [0x20, 1, 0xd, 0xb8, ...Array.from({ length: 11 }, () => 0), 1];

describe("a name given by a user", () => {
  it("has all addresses that the name server knows", async () => {
    const { server } = await serverOf({
      [A]: [
        [93, 184, 216, 34],
        [10, 0, 0, 1],
      ],
      [AAAA]: [IPV6],
    });
    expect(await nameResolver({ servers: [server] })("site.example")).toEqual([
      { address: "93.184.216.34", family: 4 },
      { address: "10.0.0.1", family: 4 },
      { address: "2001:db8::1", family: 6 },
    ]);
  });

  it("needs one kind of address only", async () => {
    const { server } = await serverOf({ [AAAA]: [IPV6] });
    expect(await nameResolver({ servers: [server] })("site.example")).toEqual([{ address: "2001:db8::1", family: 6 }]);
  });

  it("is an error if it has none", async () => {
    const { server } = await serverOf({});
    await expect(nameResolver({ servers: [server] })("site.example")).rejects.toMatchObject({ code: "ENODATA" });
  });

  it("has the addresses in the hosts file if it is listed there, in any case, without a query", async () => {
    const { server, asked } = await serverOf({ [A]: [[93, 184, 216, 34]] });
    const hosts = join(folder, "hosts");
    await writeFile(
      hosts,
      "127.0.0.1 localhost # this one\n::1\tlocalhost ip6-localhost\n#10.0.0.9 site.example\nno address\n",
    );
    const resolve = nameResolver({ servers: [server], hosts });
    const own = [
      { address: "127.0.0.1", family: 4 },
      { address: "::1", family: 6 },
    ];
    expect(await resolve("localhost")).toEqual(own);
    expect(await resolve("LocalHost.")).toEqual(own);
    expect(asked()).toBe(0);
    expect(await resolve("site.example")).toEqual([{ address: "93.184.216.34", family: 4 }]);
  });

  it("fails after the deadline if no server answers", async () => {
    const { server } = await serverOf(null);
    const resolve = nameResolver({ servers: [server], longestMs: 100 });
    await expect(resolve("site.example")).rejects.toMatchObject({ code: "ETIMEOUT" });
  });

  it("delays no other name, file or password hash, however many stay unanswered", async () => {
    const { server } = await serverOf(null);
    const resolve = nameResolver({ servers: [server], longestMs: 3_000 });
    let done = 0;
    const unanswered = Array.from({ length: 50 }, (_, index) =>
      resolve(`unanswered${index}.example`).catch((error: NodeJS.ErrnoException) => {
        done += 1;
        return error.code;
      }),
    );
    const hashes = [bcrypt.hash("password", 4), bcrypt.hash("password", 4)];
    await Promise.all([lookup("localhost"), lookup("localhost"), readFile(import.meta.filename), ...hashes]);
    expect(done).toBe(0);
    expect(new Set(await Promise.all(unanswered))).toEqual(new Set(["ETIMEOUT"]));
  });
});
