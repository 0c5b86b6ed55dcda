/** Sessions as browsers have them: the cookies of an answer, sent back. */
import type { Answer, Client } from "./client.js";
import type { TestUser } from "./factory.js";

export interface Session {
  /** requests with the session's cookies and nothing else */
  client: Client;
  cookie: string;
  csrfToken: string;
}

/** The `Cookie` header that an answer's `Set-Cookie` headers lead to. */
export const cookieOf = (answer: Answer): string =>
  answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");

/** Signs the user in. */
export async function signIn(client: Client, { name, password }: TestUser): Promise<Session> {
  const answer = await client.post("/session.json", { name, password });
  if (answer.status !== 200) throw new Error(`sign-in failed: ${answer.text}`);
  const cookie = cookieOf(answer);
  return {
    client: client.with({ cookie }),
    cookie,
    csrfToken: String((answer.json as Record<string, unknown>).csrf_token),
  };
}
