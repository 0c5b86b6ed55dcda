/** Sessions as browsers have them: the cookies of an answer, sent back. */
import { replaceHash } from "../../src/resources/accounts/account.changes.js";
import type { TestBoard } from "./board.js";
import type { Answer, Client } from "./client.js";
import type { TestUser } from "./factory.js";

export interface Session {
  /** requests with the session's cookies and nothing else */
  client: Client;
  cookie: string;
  csrfToken: string;
}

/** name -> the cookie, with its attributes, as an answer sets it */
export const setCookies = ({ headers }: Answer): Map<string, string> =>
  new Map(headers.getSetCookie().map((cookie) => [cookie.slice(0, cookie.indexOf("=")), cookie]));

/** The `Cookie` header that an answer's `Set-Cookie` headers lead to; with names, these cookies alone. */
export const cookieOf = (answer: Answer, ...names: string[]): string =>
  [...setCookies(answer)]
    .filter(([name]) => names.length === 0 || names.includes(name))
    .map(([, cookie]) => cookie.split(";")[0])
    .join("; ");

/** Signs the user in. */
export async function signIn(
  client: Client,
  { name, password }: Pick<TestUser, "name" | "password">,
): Promise<Session> {
  const answer = await client.post("/session.json", { name, password });
  if (answer.status !== 200) throw new Error(`sign-in failed: ${answer.text}`);
  const cookie = cookieOf(answer);
  return {
    client: client.with({ cookie }),
    cookie,
    csrfToken: String((answer.json as Record<string, unknown>).csrf_token),
  };
}

/** Signs the user in by GraphQL: the answer, and requests with its cookie from a page of this site. */
export async function signInByGraphQL(client: Client, { name, password }: Pick<TestUser, "name" | "password">) {
  const document = `mutation($input: CreateSessionInput!) {
    createSession(input: $input) { user { id name settings { apiKey } csrfToken } csrfToken } }`;
  const answer = await client.graphql(document, { input: { name, password } });
  const cookie = cookieOf(answer);
  return { answer, cookie, page: client.with({ cookie, "sec-fetch-site": "same-origin" }) };
}

/** Sets another password of an account, as a password change does. */
export const replacePassword = ({ board }: Pick<TestBoard, "board">, id: number, passwordHash: string): Promise<void> =>
  board.transact((db) => replaceHash(db, id, passwordHash, { sessions: true }));
