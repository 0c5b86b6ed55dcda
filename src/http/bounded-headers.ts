/** Headers that cost more to parse the longer they are: past a length that no client needs they are as if not sent. */
import type { IncomingMessage } from "node:http";

/** Characters. What a client would like, or has already, may be ignored; a type or cookies so long are of no client of ours. */
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

/** A name and a key are far shorter, so that what is left proves as little as the whole did: wrong credentials stay wrong. */
const MOST_AUTHORIZATION = 4096;

const BOUNDS = Object.entries(MOST_CHARACTERS) as [keyof typeof MOST_CHARACTERS, number][];

/** Bounds the headers of a request that nobody has looked at yet. */
export function boundHeaders({ headers }: IncomingMessage): void {
  for (const [name, most] of BOUNDS) {
    if ((headers[name]?.length ?? 0) > most) delete headers[name];
  }
  if (headers.authorization) headers.authorization = headers.authorization.slice(0, MOST_AUTHORIZATION);
}
