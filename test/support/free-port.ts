/** A port for a program that can't take any free one by itself. */
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";

/** One of 127.0.0.1 that nobody listens on now. */
export async function freePort(): Promise<number> {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  other.close();
  await once(other, "close");
  return port;
}
