/** Many small requests: uncounted ones, guesses of passwords, and what a member may send. */
import type { Attack } from "../attack.js";
import { FORM_TYPE, KB } from "../payloads.js";
import type { Target } from "../target.js";

const floodOf =
  (paths: (target: Target, turn: number) => string, from = 1) =>
  (target: Target) =>
    target.flood(32, (turn) => target.ask({ path: paths(target, turn), from: turn % from }));

const form = (values: Record<string, string>): string => new URLSearchParams(values).toString();

/** Wrong passwords, of a name that there is and of others. */
const guess = (from: number) => (target: Target) =>
  target.flood(32, (turn) => {
    const name = turn % 2 ? target.member.name : `nobody_${turn}`;
    const body = form({ name, password: `guess ${turn}` });
    return target.ask({ method: "POST", path: "/session.json", headers: FORM_TYPE, body, from: turn % from });
  });

export const floods: readonly Attack[] = [
  { name: "row 14: a flood of /readyz", send: floodOf(() => "/readyz") },
  { name: "a flood of /healthz", send: floodOf(() => "/healthz") },
  {
    name: "a flood of /metrics, through a proxy",
    send: (target) =>
      target.flood(32, () => target.ask({ path: "/metrics", headers: { "X-Forwarded-For": "198.51.100.1" } })),
  },
  { name: "a flood of /docs and /openapi.json", send: floodOf((_, turn) => (turn % 2 ? "/docs" : "/openapi.json")) },
  { name: "a flood of paths that are none", send: floodOf((_, turn) => `/${turn}/${"../".repeat(turn % 50)}%00.php`) },
  {
    name: "a flood of a file, and of files that are none",
    send: floodOf(({ facts }, turn) => (turn % 2 ? facts.file : `/data/${turn}/%2e%2e/x`)),
  },
  {
    name: "a flood of listings past the hourly limit",
    send: floodOf((_, turn) => `/posts.json?limit=100&page=${1 + (turn % 5)}`),
  },
  {
    name: "a flood of listings from 200 addresses",
    send: floodOf((_, turn) => `/posts.json?limit=100&page=${1 + (turn % 5)}`, 200),
  },
  { name: "passwords guessed at full speed, from one address", send: guess(1) },
  { name: "passwords guessed at full speed, from 100 addresses", send: guess(100) },
  {
    name: "old password hashes guessed at full speed, from 100 addresses",
    send: (target) =>
      target.flood(32, (turn) => {
        const query = form({ login: target.member.name, password_hash: turn.toString(16).padStart(40, "0") });
        return target.ask({ path: `/posts.json?${query}`, from: turn % 100 });
      }),
  },
  {
    name: "API keys guessed at full speed, from 100 addresses",
    send: (target) =>
      target.flood(32, (turn) => {
        const key = turn % 2 ? "k".repeat(40 * KB) : `guess${turn}`;
        const authorization = `Basic ${Buffer.from(`${target.member.name}:${key}`).toString("base64")}`;
        return target.ask({ path: "/profile.json", headers: { authorization }, from: turn % 100 });
      }),
  },
  {
    name: "sign-ups at full speed, from 100 addresses",
    writes: ["users", "user_sessions", "known_addresses"],
    lingers: true,
    send: (target) =>
      target.flood(32, (turn) => {
        const values = { "user[name]": `new_${process.pid}_${turn}`, "user[password]": `a fine password ${turn}` };
        return target.ask({
          method: "POST",
          path: "/users.json",
          headers: FORM_TYPE,
          body: form(values),
          from: turn % 100,
        });
      }),
  },
  {
    name: "sign-ups with names and passwords of 1 MB",
    send: (target) =>
      target.flood(
        4,
        (turn) => {
          const long = "a".repeat(450 * KB);
          const values = { "user[name]": `${long}${turn}`, "user[password]": long };
          return target.ask({
            method: "POST",
            path: "/users.json",
            headers: FORM_TYPE,
            body: form(values),
            from: turn % 4,
          });
        },
        200,
      ),
  },
  {
    name: "favorites and votes by a member at full speed",
    writes: ["favorites", "post_votes", "posts", "users"],
    send: (target) =>
      target.flood(16, (turn) => {
        const { post } = target.facts;
        const asked = [
          { method: "POST", path: "/favorites.json", body: `post_id=${post}` },
          { method: "DELETE", path: `/favorites/${post}.json` },
          { method: "POST", path: `/posts/${post}/votes.json`, body: `score=${turn % 3 ? "up" : "down"}` },
          { method: "DELETE", path: `/posts/${post}/votes.json` },
        ][turn % 4] as { method: string; path: string; body?: string };
        return target.ask({ ...asked, headers: FORM_TYPE, signedIn: true, from: turn % 16 });
      }),
  },
  {
    name: "comments, dmails and edits by a member at full speed",
    writes: ["comments", "post_counts", "dmails", "posts", "post_versions", "tags", "users", "notes", "note_versions"],
    send: (target) =>
      target.flood(16, (turn) => {
        const { post, tags } = target.facts;
        const asked = [
          { path: "/comments.json", body: `comment[post_id]=${post}&comment[body]=${turn}` },
          { path: "/dmails.json", body: `dmail[to_name]=member_1&dmail[title]=a&dmail[body]=${turn}` },
          {
            path: `/posts/${post}.json?_method=PUT`,
            body: `post[tag_string]=${tags[turn % 30] ?? ""} harbour_${turn}`,
          },
          {
            path: "/notes.json",
            body: `note[post_id]=${post}&note[x]=1&note[y]=1&note[width]=5&note[height]=5&note[body]=${turn}`,
          },
        ][turn % 4] as { path: string; body: string };
        return target.ask({ ...asked, method: "POST", headers: FORM_TYPE, signedIn: true, from: turn % 16 });
      }),
  },
];
