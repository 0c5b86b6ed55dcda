/** Passwords come in by standard input: arguments stand in the shell's history, and in the list of processes. */
import { createInterface } from "node:readline";
import { Writable } from "node:stream";

/** Nothing was given on standard input. */
export class NoPasswordError extends Error {
  override name = "NoPasswordError";
  override message = "There is no password on standard input.";
}

/** Swallows what a terminal would show of the typing. */
const silence = () => new Writable({ write: (_chunk, _encoding, done) => done() });

/**
 * The first line of standard input; on a terminal it is asked for, and not shown.
 * @throws NoPasswordError
 */
export async function readPassword(prompt = "Password: "): Promise<string> {
  const { stdin, stderr } = process;
  if (stdin.isTTY) stderr.write(prompt);
  const lines = createInterface({ input: stdin, output: silence(), terminal: stdin.isTTY });
  try {
    for await (const line of lines) {
      if (line !== "") return line;
      break;
    }
    throw new NoPasswordError();
  } finally {
    lines.close();
    if (stdin.isTTY) stderr.write("\n");
  }
}
