/** A small HTTP client for tests: parameters in brackets, logins, JSON and XML, GraphQL. */
import { type Element, xml2js } from "xml-js";

export type Value = string | number | boolean | null | undefined | Blob | Value[] | { [key: string]: Value };
export type Params = Record<string, Value>;

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** the body as JSON; undefined when it is none */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read answers freely
  json: any;
  /** the root element of an XML body; undefined when it is none */
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
    const response = await fetch(`${this.url}${path}`, { redirect: "manual", ...init, headers });
    const text = await response.text();
    const type = response.headers.get("content-type") ?? "";
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: type.includes("json") && text ? JSON.parse(text) : undefined,
      xml: type.includes("xml") ? ((xml2js(text) as Element).elements?.[0] ?? undefined) : undefined,
    };
  }
}
