/** A Redis for one test, on a free port, without files; if it is not installed, the reason to skip. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";

/** Why tests with Redis can't run here; null when they can. */
export const noRedis: string | null = spawnSync("redis-server", ["--version"]).status === 0 ? null : "no redis-server";

/** A port of 127.0.0.1 that nobody has at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export class TestRedis implements AsyncDisposable {
  private child: ChildProcess | null = null;

  private constructor(private readonly port: number) {}

  static async start(): Promise<TestRedis> {
    const redis = new TestRedis(await freePort());
    await redis.start();
    return redis;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Starts it again after `stop`, empty. */
  async start(): Promise<void> {
    const options = ["--port", String(this.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
    const child = spawn("redis-server", options, { stdio: ["ignore", "pipe", "inherit"] });
    this.child = child;
    for await (const text of child.stdout) if (String(text).includes("Ready to accept connections")) break;
    child.stdout.resume();
  }

  async stop(): Promise<void> {
    const { child } = this;
    this.child = null;
    if (!child) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }

  /** Pauses it without closing its connections, or resumes it. */
  silence(isSilent: boolean): void {
    this.child?.kill(isSilent ? "SIGSTOP" : "SIGCONT");
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}
