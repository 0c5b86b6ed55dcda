/** A real board behind a real HTTP server on a free port, with its own database and folder. Each test file starts one. */
import path from "node:path";
import { type Board, type BoardOverrides, openBoard } from "../../src/board.js";
import { type Config, loadConfig } from "../../src/config.js";
import { Decoder, type Decoding } from "../../src/media/decoder/decoder.js";
import { listen, type RunningServer } from "../../src/http/server.js";
import { createLog } from "../../src/runtime/telemetry/log.js";
import { Client } from "./client.js";
import { bySocket, createDatabase } from "./database.js";
import { Factory } from "./factory.js";
import { Folder } from "./folder.js";
import { rememberingTwins } from "./twin-pictures.js";

/** One line of the log, parsed. */
export type LogLine = Record<string, unknown>;

export interface TestBoard extends AsyncDisposable {
  url: string;
  board: Board;
  /** requests without login */
  anonymous: Client;
  make: Factory;
  /** the lines logged so far, for statements and secrets */
  log: LogLine[];
  folder: string;
}

/** Settings that differ from the defaults in tests: cheap password hashes, no limits, long timeouts, and no jobs unless requested. */
const DEFAULTS = {
  HOST: "127.0.0.1",
  PORT: "0",
  BCRYPT_COST: "4",
  LOG_LEVEL: "info",
  LIMIT_ANONYMOUS: "100000",
  LIMIT_MEMBER: "100000",
  LIMIT_ADDRESS: "1000000000",
  LIMIT_SUGGESTIONS: "1000000000",
  ACCOUNTS_PER_HOUR: "100000",
  DMAILS_PER_HOUR: "100000",
  FORUM_POSTS_PER_HOUR: "100000",
  NEW_TAGS_PER_HOUR: "1000000",
  POOL_POSTS_PER_HOUR: "1000000",
  POST_EDITS_PER_HOUR: "100000",
  RECORD_EDITS_PER_HOUR: "100000",
  VOTES_PER_HOUR: "100000",
  FAILED_UPLOADS_PER_HOUR: "100000",
  DATABASE_CONNECTIONS: "8",
  DATABASE_CONNECTIONS_PER_CLIENT: "1000",
  MAX_REQUESTS_PER_ADDRESS: "1000",
  DATABASE_WAIT_MS: "10000",
  JOBS: "false",
};

/** No hourly limit of requests, for queries that cost more than users may spend. */
export const UNCOUNTED = Object.fromEntries(
  ["ANONYMOUS", "MEMBER", "GOLD", "PLATINUM"].map((level) => [`LIMIT_${level}`, "1000000000"]),
);

/** Longer than any run, in milliseconds: a decoder that is idle after one file is needed by the next. */
const RUN_MS = 60 * 60 * 1000;
let decoder: Decoding | undefined;

/** One decoder for all boards of a worker: the start of a process for each would take as long as dozens of requests. */
function sharedDecoder({ DECODING_MEMORY_BYTES: memory }: Config): Decoding {
  decoder ??= rememberingTwins(new Decoder({ memory, log: createLog("silent"), idleMs: RUN_MS }));
  const shared = decoder;
  return { decode: (request) => shared.decode(request), [Symbol.asyncDispose]: () => Promise.resolve() };
}

/**
 * @param env further environment variables, as `config.ts` reads them; with `DECODING_MEMORY_BYTES`, a decoder of its own
 * @param overrides parts in place of the board's own, for faults that can't be had otherwise
 */
export async function startBoard(
  env: Record<string, string> = {},
  overrides: Pick<BoardOverrides, "storage"> = {},
): Promise<TestBoard> {
  const folder = await Folder.make();
  const database = await createDatabase();
  const config = loadConfig({
    ...DEFAULTS,
    DATABASE_URL: bySocket(database.url),
    DATA_DIR: path.join(folder.path, "data"),
    ...env,
  });
  const log: LogLine[] = [];
  const board = await openBoard(config, {
    ...("DECODING_MEMORY_BYTES" in env ? {} : { decoder: sharedDecoder(config) }),
    ...overrides,
    log: createLog(config.LOG_LEVEL, { write: (line) => void log.push(JSON.parse(line) as LogLine) }),
  });
  const server: RunningServer = await listen(board);
  const anonymous = new Client(server.url);
  return {
    url: server.url,
    board,
    anonymous,
    make: new Factory(board, anonymous),
    log,
    folder: folder.path,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await board[Symbol.asyncDispose]();
      await database.drop();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** The number of SQL statements of the request with this id, by the log. */
export async function statementsOf(test: TestBoard, requestId: string | null): Promise<number> {
  const find = () => test.log.filter((line) => (line.req as { id?: string } | undefined)?.id === requestId).at(-1);
  for (let tries = 0; !find() && tries < 100; tries += 1) await new Promise((resolve) => setTimeout(resolve, 10));
  return Number(find()?.statements);
}
