/**
 * The attacker's process: sends one attack, as ordered by messages from its parent. It has a lower priority than the board,
 * since a real attacker has a machine of its own.
 */
import { getPriority, setPriority } from "node:os";
import type { Order } from "./attack.js";
import { attackNamed } from "./list.js";
import { Target } from "./target.js";

setPriority(getPriority() + 10);
const order = JSON.parse(process.argv[2] ?? "{}") as Order;
const attack = attackNamed(order.attack);
const target = new Target(order);

const tell = (message: object): Promise<void> => new Promise((resolve) => process.send?.(message, () => resolve()));

async function attackNow(seconds: number): Promise<void> {
  setTimeout(() => target.stop(), seconds * 1000);
  await Promise.race([attack.send(target), target.rest()]);
  target.stop();
  await tell(target.tally);
  process.exit();
}

process.once("message", (seconds: number) => void attackNow(seconds));
await attack.prepare?.(target);
await tell({ ready: true });
