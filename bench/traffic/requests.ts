/** Requests as bytes, prepared beforehand. No request of a run is repeated, so cached responses don't help a server. */
import { authorization, type Writer } from "../search/writes.js";

/** A signed-in reader. */
export interface Member extends Writer {
  /** token of the session cookie */
  session: string;
}

export interface Sent {
  method?: "GET" | "POST" | "PUT";
  path: string;
  /** lines after the common ones */
  headers?: readonly string[];
  body?: { type: string; text: string };
}

/** A request as text. */
export function wire({ method = "GET", path, headers = [], body }: Sent): string {
  const about = body ? [`Content-Type: ${body.type}`, `Content-Length: ${Buffer.byteLength(body.text)}`] : [];
  const lines = ["Host: board.example", "Accept: application/json", ...headers, ...about];
  return `${method} ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${body?.text ?? ""}`;
}

export const byKey = (member: Member): string => `Authorization: ${authorization(member)}`;
export const byCookie = ({ session }: Member): string => `Cookie: session=${session}`;

/** A repeated request, which would measure caching. */
export class RepeatedError extends Error {
  override name = "RepeatedError";
}

/** All requests of a run. */
export class Ledger {
  private readonly asked = new Set<string>();

  /** @throws RepeatedError for a repeated request */
  enter(requests: readonly string[]): void {
    for (const request of requests) {
      if (this.asked.has(request)) throw new RepeatedError(`asked twice: ${request.slice(0, 200)}`);
      this.asked.add(request);
    }
  }
}

/** A permutation of the numbers below `count`, the same for the same seed. */
export function* scattered(count: number, seed: number): Generator<number> {
  const step = stepFor(count);
  for (let index = 0; index < count; index += 1) yield (seed * 7_919 + index * step) % count;
}

/** A number near the golden section of the count, and coprime to it. */
function stepFor(count: number): number {
  let step = Math.max(1, Math.floor(count * 0.618));
  while (greatestDivisor(step, count) > 1) step += 1;
  return step;
}

const greatestDivisor = (one: number, other: number): number =>
  other === 0 ? one : greatestDivisor(other, one % other);
