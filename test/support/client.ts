/** A small HTTP client for tests: parameters in brackets, logins, JSON and XML, GraphQL. */
import { Agent, type Dispatcher, request } from "undici";
import { type Element, xml2js } from "xml-js";

export type Value = string | number | boolean | null | undefined | Blob | Value[] | { [key: string]: Value };
export type Params = Record<string, Value>;

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** the body as JSON; undefined if it is not JSON */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read answers freely
  json: any;
  /** the root element of an XML body; undefined for other bodies */
  xml: Element | undefined;
}

export interface Login {
  name: string;
  apiKey: string;
}

/** `{post: {rating: "s"}}` -> `[["post[rating]", "s"]]` */
export function brackets(params: Params, prefix = ""): [string, string | Blob][] {
  return Object.entries(params).flatMap(([key, value]): [string, string | Blob][] => {
    const name = prefix ? `${prefix}[${key}]` : key;
    if (value === undefined) return [];
    if (value instanceof Blob) return [[name, value]];
    if (Array.isArray(value)) return value.flatMap((item) => brackets({ "": item }, name));
    return typeof value === "object" && value !== null ? brackets(value, name) : [[name, String(value ?? "")]];
  });
}

const query = (params: Params): string => {
  const search = new URLSearchParams(brackets(params) as [string, string][]).toString();
  return search ? `?${search}` : "";
};

/** `fetch` would take as long over a request as the board over its answer, and asks for answers that are compressed. */
const AGENT = new Agent();

/** The content type that `fetch` gives a body, and the body's bytes. */
async function bodyOf(body: RequestInit["body"]): Promise<{ type?: string; content: string | Buffer | null }> {
  if (body === null || body === undefined) return { content: null };
  if (typeof body === "string") return { type: "text/plain;charset=UTF-8", content: body };
  if (body instanceof URLSearchParams)
    return { type: "application/x-www-form-urlencoded;charset=UTF-8", content: body.toString() };
  const response = new Response(body);
  return {
    type: response.headers.get("content-type") ?? undefined,
    content: Buffer.from(await response.arrayBuffer()),
  };
}

const headersOf = ({ headers }: Dispatcher.ResponseData): Headers =>
  new Headers(
    Object.entries(headers).flatMap(([name, value = ""]) =>
      [value].flat().map((each) => [name, each] as [string, string]),
    ),
  );

export class Client {
  constructor(
    readonly url: string,
    readonly login?: Login,
    private readonly headers: Record<string, string> = {},
  ) {}

  /** The same server, with HTTP Basic. */
  as(login: Login): Client {
    return new Client(this.url, login, this.headers);
  }

  /** The same, with these headers on every request. */
  with(headers: Record<string, string>): Client {
    return new Client(this.url, this.login, { ...this.headers, ...headers });
  }

  get(path: string, params: Params = {}): Promise<Answer> {
    return this.send(`${path}${query(params)}`, { method: "GET" });
  }

  post(path: string, params: Params = {}): Promise<Answer> {
    return this.write("POST", path, params);
  }

  put(path: string, params: Params = {}): Promise<Answer> {
    return this.write("PUT", path, params);
  }

  delete(path: string, params: Params = {}): Promise<Answer> {
    return this.write("DELETE", path, params);
  }

  /** Urlencoded, or multipart where a file is among the parameters. */
  private write(method: string, path: string, params: Params): Promise<Answer> {
    const pairs = brackets(params);
    if (!pairs.some(([, value]) => value instanceof Blob)) {
      return this.send(path, { method, body: new URLSearchParams(pairs as [string, string][]) });
    }
    const form = new FormData();
    for (const [name, value] of pairs) form.append(name, value);
    return this.send(path, { method, body: form });
  }

  /** A body of JSON. */
  json(method: string, path: string, body: unknown): Promise<Answer> {
    return this.send(path, { method, body: JSON.stringify(body), headers: { "content-type": "application/json" } });
  }

  /** A GraphQL operation. */
  graphql(document: string, variables: Record<string, unknown> = {}): Promise<Answer> {
    return this.json("POST", "/graphql", { query: document, variables });
  }

  /** Any request. */
  async send(path: string, init: RequestInit = {}): Promise<Answer> {
    const headers = new Headers({ ...this.headers, ...(init.headers as Record<string, string> | undefined) });
    if (this.login && !headers.has("authorization")) {
      const credentials = Buffer.from(`${this.login.name}:${this.login.apiKey}`).toString("base64");
      headers.set("authorization", `Basic ${credentials}`);
    }
    const { type, content } = await bodyOf(init.body);
    if (type && !headers.has("content-type")) headers.set("content-type", type);
    const response = await request(`${this.url}${path}`, {
      dispatcher: AGENT,
      method: init.method ?? "GET",
      headers: Object.fromEntries(headers),
      body: content,
    });
    const text = await response.body.text();
    const answered = headersOf(response);
    const format = answered.get("content-type") ?? "";
    return {
      status: response.statusCode,
      headers: answered,
      text,
      json: format.includes("json") && text ? JSON.parse(text) : undefined,
      xml: format.includes("xml") ? ((xml2js(text) as Element).elements?.[0] ?? undefined) : undefined,
    };
  }
}
