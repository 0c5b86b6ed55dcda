/** Asks a site of this kind for JSON. */
import { Agent, type Dispatcher, request } from "undici";
import { BoardError } from "../../errors.js";
import { checkedTarget } from "../../sources/target.js";
import { type Pace, readRetryAfter, SiteTrouble } from "./pace.js";
import { ImportError } from "./source.js";

/** Which site, and how it is asked. */
export interface SiteClientOptions {
  /** `https://example.com`, or with a path below which its lists are */
  url: string;
  pace: Pace;
  /** `host:port` list of what may be asked although its address is private */
  allowHosts: readonly string[];
  /** sent to this site and nowhere else */
  login?: { name: string; apiKey: string } | undefined;
  /** longest silence of the site, in milliseconds */
  timeoutMs?: number;
}

/** How the board introduces itself; sites refuse programs that don't. */
const USER_AGENT = "Graphbooru/0.1 (image board; imports posts)";
const TIMEOUT_MS = 60_000;
/** Largest answer, in bytes: a page of the longest wiki pages. */
const MAX_BYTES = 64 * 1024 * 1024;

/** The first words of what a site says; it could be anything. */
const excerpt = (text: string): string => JSON.stringify(text.slice(0, 100));

/** Lists of one site; dispose of it to close its connections. */
export class SiteClient implements AsyncDisposable {
  private readonly agent: Agent;

  /** @throws ImportError for an address that can't be asked */
  constructor(private readonly options: SiteClientOptions) {
    const stall = options.timeoutMs ?? TIMEOUT_MS;
    const lookup = this.target(options.url).lookup;
    this.agent = new Agent({ connect: { lookup, timeout: stall }, headersTimeout: stall, bodyTimeout: stall });
  }

  /**
   * A page of a list.
   * @throws ImportError when the site refuses, or is still in trouble after several attempts
   */
  async list(path: string, params: Record<string, string>): Promise<unknown[]> {
    const url = new URL(`${this.options.url}${path}`);
    for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
    try {
      return await this.options.pace.ask(() => this.ask(url));
    } catch (error) {
      throw error instanceof SiteTrouble ? new ImportError(`${error.message}; try again later.`) : error;
    }
  }

  private target(url: string) {
    try {
      return checkedTarget(url, this.options.allowHosts);
    } catch (error) {
      if (error instanceof BoardError) throw new ImportError(`${url} can't be asked: ${error.reason}`);
      throw error;
    }
  }

  private async ask(url: URL): Promise<unknown[]> {
    const { statusCode, headers, body } = await this.request(url);
    const text = await read(url, body);
    if (statusCode === 429 || statusCode >= 500) {
      const retryAfter = readRetryAfter(String(headers["retry-after"] ?? ""));
      throw new SiteTrouble(`${url.host} answers ${statusCode}`, retryAfter);
    }
    if (statusCode !== 200) throw refusal(url, statusCode, headers, text);
    return parse(url, text);
  }

  private async request(url: URL): Promise<Dispatcher.ResponseData> {
    const headers = { "user-agent": USER_AGENT, accept: "application/json", ...this.authorization() };
    try {
      return await request(url, { dispatcher: this.agent, headers });
    } catch (error) {
      if (error instanceof BoardError) throw new ImportError(`${url.host} can't be asked: ${error.reason}`);
      throw new SiteTrouble(`${url.host} does not answer`, null, { cause: error });
    }
  }

  private authorization(): Record<string, string> {
    const { login } = this.options;
    if (!login) return {};
    return { authorization: `Basic ${Buffer.from(`${login.name}:${login.apiKey}`).toString("base64")}` };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.agent.destroy();
  }
}

async function read(url: URL, body: Dispatcher.ResponseData["body"]): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) throw new ImportError(`${url.host} answers with more than ${MAX_BYTES} bytes.`);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw new SiteTrouble(`${url.host} broke off its answer`, null, { cause: error });
  }
  return Buffer.concat(chunks).toString("utf8");
}

function refusal(url: URL, status: number, headers: Dispatcher.ResponseData["headers"], text: string): ImportError {
  if (status >= 300 && status < 400)
    return new ImportError(`${url.host} leads to ${String(headers.location)}; name that address.`);
  return new ImportError(`${url.host} answers ${status} to ${url.pathname}: ${excerpt(text)}`);
}

/** A proxy's page of apologies is trouble that passes. */
function parse(url: URL, text: string): unknown[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new SiteTrouble(`${url.host} answers with ${excerpt(text)} in place of JSON`, null, { cause: error });
  }
  if (!Array.isArray(value)) throw new SiteTrouble(`${url.host} answers with ${excerpt(text)} in place of a list`);
  return value;
}
