/**
 * A client that keeps one connection open and sends requests on it repeatedly, like a browser, a program or a load balancer. It
 * retries nothing: a request without a response is a failure.
 */
import { Agent, type IncomingMessage, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { type Answer, Client, type Login } from "./client.js";

export class SteadyClient extends Client {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });
  /** what went wrong, in words: answers that are not 2xx, and requests without an answer */
  readonly faults: string[] = [];
  /** how many connections it has had */
  connections = 0;

  override as(login: Login): SteadyClient {
    return new SteadyClient(this.url, login);
  }

  override async send(path: string, init: RequestInit = {}): Promise<Answer> {
    const method = init.method ?? "GET";
    try {
      const answer = await this.ask(path, method, init);
      if (answer.status < 200 || answer.status > 299)
        this.faults.push(`${method} ${path}: ${answer.status} ${answer.text}`);
      return answer;
    } catch (error) {
      this.faults.push(`${method} ${path}: ${String((error as NodeJS.ErrnoException).code)} ${String(error)}`);
      throw error;
    }
  }

  private async ask(path: string, method: string, init: RequestInit): Promise<Answer> {
    const body = new Response(init.body); // makes multipart bodies
    const headers = new Headers({ ...Object.fromEntries(body.headers), ...(init.headers as Record<string, string>) });
    if (this.login) headers.set("authorization", `Basic ${btoa(`${this.login.name}:${this.login.apiKey}`)}`);
    const content = Buffer.from(await body.arrayBuffer());
    if (content.length > 0) headers.set("content-length", String(content.length));
    const message = await new Promise<IncomingMessage>((resolve, reject) => {
      const asked = request(`${this.url}${path}`, { method, agent: this.agent, headers: Object.fromEntries(headers) });
      asked.once("response", resolve).once("error", reject);
      asked.once("socket", () => (this.connections += asked.reusedSocket ? 0 : 1));
      asked.end(content);
    });
    const text = (await buffer(message)).toString("utf8");
    const type = message.headers["content-type"] ?? "";
    return {
      status: message.statusCode ?? 0,
      headers: new Headers(message.headers as Record<string, string>),
      text,
      json: type.includes("json") && text ? (JSON.parse(text) as unknown) : undefined,
      xml: undefined,
    };
  }

  [Symbol.dispose](): void {
    this.agent.destroy();
  }
}
