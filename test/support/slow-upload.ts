/** Requests with an incomplete body: what is stored of it, and the response meanwhile. */
import type { Login } from "./client.js";
import { BOUNDARY, openMultipart, type Part } from "./multipart.js";
import { RawClient } from "./raw-client.js";

export interface Begun {
  path: string;
  method?: string;
  login?: Login;
  headers?: Record<string, string>;
  /** parts before the file */
  fields?: Part[];
  /** name of the part with the file */
  name?: string;
  /** bytes of the file that are sent at once */
  bytes?: number;
}

const basic = ({ name, apiKey }: Login): string =>
  `Authorization: Basic ${Buffer.from(`${name}:${apiKey}`).toString("base64")}`;

/** Begins a multipart request of a gigabyte, as far as some bytes of its file. */
export async function beginUpload(url: string, begun: Begun): Promise<RawClient> {
  const { path, method = "POST", login, headers = {}, fields = [], name = "upload[file]", bytes = 1000 } = begun;
  const head = [
    `${method} ${path} HTTP/1.1`,
    "Host: board",
    "Content-Length: 1000000000",
    `Content-Type: multipart/form-data; boundary=${BOUNDARY}`,
    ...(login ? [basic(login)] : []),
    ...Object.entries(headers).map(([key, value]) => `${key}: ${value}`),
  ];
  const file = openMultipart([{ name, filename: "a.png", content: "x".repeat(bytes) }]).toString("latin1");
  const client = await RawClient.connect(url);
  client.say(`${head.join("\r\n")}\r\n\r\n${openMultipart(fields).toString("latin1")}${file.slice(0, -2)}`);
  return client;
}
