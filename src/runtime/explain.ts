/** Errors that stop the process, explained in a sentence. */
import { ConfigError } from "../config.js";
import { OperatorError } from "../errors.js";

type Fault = NodeJS.ErrnoException & { port?: number; address?: string; hostname?: string };

const notOwner = (reason: string): string => `DATABASE_URL: ${reason}; its user must own the database.`;

const NO_DATABASE = "No database responds at the address in DATABASE_URL.";

/** What an operator can do, by the code of the system or of PostgreSQL. */
const SENTENCES: Readonly<Record<string, (fault: Fault) => string>> = {
  EADDRINUSE: ({ port, address }) => `Port ${port} of ${address} is in use by another program; set PORT to a free one.`,
  EADDRNOTAVAIL: () => "HOST is not an address of this machine.",
  ENOTFOUND: unknownHost,
  EAI_AGAIN: unknownHost,
  EACCES: ({ port, path }) =>
    port === undefined
      ? `This user has no access to ${path ?? "the data folder"}.`
      : `This user may not listen on port ${port}; set PORT to one above 1023.`,
  EEXIST: ({ path }) => `There is a file named ${path}, where a folder is needed.`,
  ENOENT: ({ path, syscall, stack = "" }) => {
    if (syscall === "connect") return NO_DATABASE; // a Unix socket
    return syscall === "mkdir" ? `The folder ${path} can't be created.` : stack;
  },
  ENOTDIR: ({ path }) => `${path} can't be used: a part of it is not a folder.`,
  EROFS: ({ path }) => `The file system of ${path ?? "the data folder"} is read-only.`,
  ENOSPC: () => "The disk is full; free some space and try again.",
  EDQUOT: () => "This user's quota of the disk is used up; free some space and try again.",
  ECONNREFUSED: () => NO_DATABASE,
  "25006": ({ message }) => `DATABASE_URL: ${message}; the database is a standby, or was made read-only.`,
  "28P01": refusedLogin,
  "28000": refusedLogin,
  "3D000": ({ message }) => `DATABASE_URL: ${message}; create it, or name another.`,
  "42501": ({ message }) => notOwner(message),
  "53100": ({ message }) => `The database's disk is full: ${message}.`,
  "53300": ({ message }) => `DATABASE_URL: ${message}; allow more, or lower DATABASE_CONNECTIONS.`,
  "57P01": wasStopped,
  "57P03": ({ message }) => `DATABASE_URL: ${message}; try again when it is ready.`,
};

function wasStopped(): string {
  return "The database was stopped, or ended the connection; try again when it runs.";
}

function unknownHost({ hostname }: Fault): string {
  return `The host ${hostname} has no known address; check where HOST or DATABASE_URL names it.`;
}

function refusedLogin({ message }: Fault): string {
  return `DATABASE_URL: ${message}; check its user and password.`;
}

/** Errors without a code, by their text: of the driver, and of Prisma's migrations. */
const TEXTS: readonly [RegExp, (found: RegExpExecArray) => string][] = [
  [
    /^Connection terminated unexpectedly/,
    () =>
      "The database ended the connection; try again when it runs, or check that the server at the address in DATABASE_URL is PostgreSQL.",
  ],
  [
    /^(Connection terminated|timeout expired)/,
    () => "The server at the address in DATABASE_URL is not PostgreSQL, or accepts no connections.",
  ],
  [/terminating connection due to|: Connection terminated unexpectedly|Can't reach database server/, wasStopped],
  [
    /certificate|^The server does not support SSL connections/,
    ({ input }) =>
      `DATABASE_URL: ${input}; with TLS it needs "?sslmode=verify-full&sslrootcert=FILE", the file with the authority's certificate.`,
  ],
  [
    /^The database schema is not empty/,
    () => "DATABASE_URL: the database has tables of another program; create an empty one for the board.",
  ],
  [
    /canceling statement due to statement timeout/,
    () =>
      "A statement took longer than STATEMENT_TIMEOUT_MS; try again when the board is less busy, or raise the limit.",
  ],
  [/permission denied [^\n]*|no schema has been selected[^\n]*/, ([text]) => notOwner(text)],
  [
    /extension "[^"\n]*" is not available/,
    ([text]) => `DATABASE_URL: ${text}; install the contrib package of its PostgreSQL.`,
  ],
];

/** One sentence for errors that an operator can fix; the stack for bugs. */
export function explainFailure(error: unknown): string {
  if (error instanceof ConfigError)
    return `The configuration is invalid:\n${error.faults.map((fault) => `  ${fault}`).join("\n")}`;
  if (!(error instanceof Error)) return String(error);
  if (error instanceof OperatorError) return error.message;
  const { code = "" } = error as Fault;
  const sentence = SENTENCES[code];
  if (sentence) return sentence(error);
  for (const [text, explain] of TEXTS) {
    const found = text.exec(error.message);
    if (found) return explain(found);
  }
  return error.stack ?? error.message;
}
