/**
 * Records a board's responses, and compares two recordings: for changes that should not change any response.
 *
 *   npm run -s exchanges -- record FILE            sends all requests to the board of this checkout, and writes its responses
 *   npm run -s exchanges -- compare FILE [OTHER]   the same, compared with FILE; with OTHER, two files. Ends with 1 for differences
 *
 * What is replaced, because it differs each time: `steady.ts`.
 */
import { readFile, writeFile } from "node:fs/promises";
import { Database } from "./board.js";
import { differences } from "./compare.js";
import { recordGraphQL } from "./graphql.js";
import { recordProtocol } from "./protocol.js";
import { recordReads } from "./reads.js";
import type { Exchange } from "./recorder.js";
import { recordSettings } from "./settings.js";
import { makeCast } from "./stage.js";
import { recordWrites } from "./writes.js";

async function record(): Promise<Exchange[]> {
  await using database = await Database.open();
  await using cast = await makeCast(database);
  for (const part of [recordReads, recordProtocol, recordGraphQL, recordWrites]) {
    const [before, started] = [cast.test.recorder.exchanges.length, Date.now()];
    await part(cast);
    const count = cast.test.recorder.exchanges.length - before;
    process.stderr.write(`${part.name}: ${count} exchanges in ${Date.now() - started} ms\n`);
  }
  return [...cast.test.recorder.exchanges, ...(await recordSettings(database, cast))];
}

const read = async (file: string): Promise<Exchange[]> => JSON.parse(await readFile(file, "utf8")) as Exchange[];

const write = (file: string, exchanges: readonly Exchange[]): Promise<void> =>
  writeFile(file, `[\n${exchanges.map((each) => JSON.stringify(each)).join(",\n")}\n]\n`);

async function main([command, file, other]: string[]): Promise<number> {
  if (file === undefined || (command !== "record" && command !== "compare")) {
    process.stderr.write("usage: exchanges record FILE | compare FILE [OTHER]\n");
    return 2;
  }
  const started = Date.now();
  const exchanges = other === undefined ? await record() : await read(other);
  process.stdout.write(`${exchanges.length} exchanges in ${((Date.now() - started) / 1000).toFixed(1)} s\n`);
  if (command === "record") {
    await write(file, exchanges);
    return 0;
  }
  const found = differences(await read(file), exchanges);
  for (const each of found) process.stdout.write(`${each}\n`);
  process.stdout.write(`${found.length} differ\n`);
  return found.length > 0 ? 1 : 0;
}

process.exit(await main(process.argv.slice(2)));
