/** Limits headers that take longer to parse the longer they are: beyond a length that no client needs, they are ignored. */
import type { IncomingMessage } from "node:http";

/** Characters. Preferences and validators may be ignored; no client of ours sends such long types or cookies. */
const MOST_CHARACTERS = {
  accept: 1024,
  "accept-charset": 1024,
  "accept-encoding": 1024,
  "accept-language": 1024,
  "content-type": 1024,
  cookie: 8192,
  "if-modified-since": 1024,
  "if-none-match": 4096,
  range: 1024,
} as const;

/** A name and a key are far shorter, so that the truncated header still proves nothing: wrong credentials stay wrong. */
const MOST_AUTHORIZATION = 4096;

const BOUNDS = Object.entries(MOST_CHARACTERS) as [keyof typeof MOST_CHARACTERS, number][];

/** Limits the headers of a request before anything reads them. */
export function boundHeaders({ headers }: IncomingMessage): void {
  for (const [name, most] of BOUNDS) {
    if ((headers[name]?.length ?? 0) > most) delete headers[name];
  }
  if (headers.authorization) headers.authorization = headers.authorization.slice(0, MOST_AUTHORIZATION);
}
