/** Requests JSON from a Danbooru-compatible site. */
import getRawBody from "raw-body";
import { Agent, type Dispatcher, request } from "undici";
import { BoardError } from "../../errors.js";
import { checkedTarget } from "../../sources/target.js";
import { type Pace, readRetryAfter, SiteUnavailable } from "./pace.js";
import { ImportError } from "./source.js";

export interface SiteClientOptions {
  /** `https://example.com`, or with the path before `/posts.json`; from `siteUrl` */
  url: string;
  pace: Pace;
  /** `host:port` for which private addresses are allowed */
  allowHosts: readonly string[];
  /** sent only to this site */
  login?: { name: string; apiKey: string } | undefined;
}

/** Sites refuse requests without a User-Agent. */
const USER_AGENT = "Graphbooru/0.1 (image board; imports posts)";
/** Time limit for the connection, the headers and each part of the body, in milliseconds. */
const TIMEOUT_MS = 60_000;
/** Largest response in bytes: more than a page of the longest wiki pages. */
const MAX_BYTES = 64 * 1024 * 1024;

/** The beginning of a response, quoted for messages. */
const excerpt = (text: string): string => JSON.stringify(text.slice(0, 100));

/** Lists of one site; dispose of it to close its connections. */
export class SiteClient implements AsyncDisposable {
  private readonly agent: Agent;

  /** @throws ImportError for a URL that is not allowed */
  constructor(readonly options: SiteClientOptions) {
    const connect = { lookup: this.target(options.url).lookup, timeout: TIMEOUT_MS };
    this.agent = new Agent({ connect, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS });
  }

  /** Requests a page of a list. @throws ImportError if the site refuses, or is unavailable after several attempts */
  async list(path: string, params: Record<string, string>): Promise<unknown[]> {
    const url = new URL(`${this.options.url}${path}`);
    for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
    try {
      return await this.options.pace.run(() => this.get(url));
    } catch (error) {
      throw error instanceof SiteUnavailable ? new ImportError(`${error.message}; try again later.`) : error;
    }
  }

  private target(url: string) {
    try {
      return checkedTarget(url, this.options.allowHosts);
    } catch (error) {
      if (error instanceof BoardError) throw new ImportError(`${url} can't be requested: ${error.reason}`);
      throw error;
    }
  }

  private async get(url: URL): Promise<unknown[]> {
    const { statusCode, headers, body } = await this.request(url);
    const text = await read(url, body);
    if (statusCode === 429 || statusCode >= 500) {
      const retryAfter = readRetryAfter(String(headers["retry-after"] ?? ""));
      throw new SiteUnavailable(`${url.host} responded with ${statusCode}`, retryAfter);
    }
    if (statusCode !== 200) throw refusal(url, statusCode, headers, text);
    return parse(url, text);
  }

  private async request(url: URL): Promise<Dispatcher.ResponseData> {
    const { login } = this.options;
    const authorization = login && `Basic ${Buffer.from(`${login.name}:${login.apiKey}`).toString("base64")}`;
    const headers = { "user-agent": USER_AGENT, accept: "application/json", ...(authorization && { authorization }) };
    try {
      return await request(url, { dispatcher: this.agent, headers });
    } catch (error) {
      if (error instanceof BoardError) throw new ImportError(`${url.host} can't be requested: ${error.reason}`);
      throw new SiteUnavailable(`${url.host} does not respond`, null, { cause: error });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.agent.destroy();
  }
}

async function read(url: URL, body: Dispatcher.ResponseData["body"]): Promise<string> {
  const bytes = await getRawBody(body, { limit: MAX_BYTES }).catch((cause: getRawBody.RawBodyError) => {
    if (cause.type === "entity.too.large") throw new ImportError(`${url.host} returned more than ${MAX_BYTES} bytes.`);
    throw new SiteUnavailable(`${url.host} closed the connection before the end of its response`, null, { cause });
  });
  return bytes.toString("utf8");
}

function refusal(url: URL, status: number, headers: Dispatcher.ResponseData["headers"], text: string): ImportError {
  if (status >= 300 && status < 400)
    return new ImportError(`${url.host} redirects to ${String(headers.location)}; use that URL.`);
  return new ImportError(`${url.host} responded with ${status} to ${url.pathname}: ${excerpt(text)}`);
}

/** Anything but a JSON array, such as a proxy's error page, is a transient error. */
function parse(url: URL, text: string): unknown[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new SiteUnavailable(`${url.host} returned ${excerpt(text)} instead of JSON`, null, { cause: error });
  }
  if (!Array.isArray(value)) throw new SiteUnavailable(`${url.host} returned ${excerpt(text)} instead of a list`);
  return value;
}
