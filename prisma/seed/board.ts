/** A running board as seen by clients: REST, GraphQL, and the `board` command for what only an administrator does. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** What can be said to the user in one sentence. */
export class DemoError extends Error {
  override name = "DemoError";
}

type Fields = Record<string, string | number | boolean | Blob>;

/** A client of one user, or of nobody. */
export class DemoClient {
  constructor(
    readonly url: string,
    private readonly login?: { name: string; apiKey: string },
  ) {}

  /** @param fields names as the REST interface has them, `comment[body]` */
  rest<Answer = { id: number }>(method: string, path: string, fields: Fields = {}): Promise<Answer> {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields))
      form.append(name, value instanceof Blob ? value : String(value));
    return this.send<Answer>(path, method === "GET" ? { method } : { method, body: form });
  }

  /** The `data` of the answer. */
  async graphql<Data>(query: string, variables: object = {}): Promise<Data> {
    const body = JSON.stringify({ query, variables });
    const headers = { "content-type": "application/json" };
    const answer = await this.send<{ data: Data; errors?: { message: string }[] }>("/graphql", {
      method: "POST",
      body,
      headers,
    });
    if (answer.errors) throw new DemoError(`${query} was refused: ${answer.errors[0]?.message}`);
    return answer.data;
  }

  /** @throws DemoError for every answer but 200 and 204 */
  private async send<Answer>(path: string, init: RequestInit): Promise<Answer> {
    const headers = new Headers(init.headers);
    if (this.login) headers.set("authorization", `Basic ${btoa(`${this.login.name}:${this.login.apiKey}`)}`);
    const response = await fetch(`${this.url}${path}`, { ...init, headers }).catch(() => {
      throw new DemoError(`No board responds at ${this.url}; start one with \`npm start\`.`);
    });
    const text = await response.text();
    if (!response.ok) throw new DemoError(`${init.method} ${path} was refused: ${response.status} ${text}`);
    return (text ? JSON.parse(text) : {}) as Answer;
  }
}

/** Runs the `board` command. @returns its lines, parsed */
export async function boardCommand<Line>(...words: string[]): Promise<Line[]> {
  const { stdout } = await run(process.execPath, ["dist/src/cli.js", ...words]).catch((error: { stderr?: string }) => {
    throw new DemoError(`\`board ${words[0]} ${words[1]}\` failed: ${error.stderr?.trim() ?? "no reason given"}`);
  });
  return stdout.split("\n").flatMap((line) => (line.startsWith("{") ? [JSON.parse(line) as Line] : []));
}
