/** Reads passwords from standard input: arguments are visible in the shell's history and in the list of processes. */
import { createInterface } from "node:readline";
import { Writable } from "node:stream";

export class NoPasswordError extends Error {
  override name = "NoPasswordError";
  override message = "There is no password on standard input.";
}

const silence = () => new Writable({ write: (_chunk, _encoding, done) => done() });

/**
 * Reads the first line of standard input; on a terminal with a prompt and without echo.
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
