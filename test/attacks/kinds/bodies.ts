/** Bodies: false lengths, large, deeply nested, slow. */
import { gzipSync } from "node:zlib";
import { multipart } from "../../support/multipart.js";
import type { Attack } from "../attack.js";
import {
  bytesOf,
  fileBody,
  FORM_TYPE,
  JSON_TYPE,
  joined,
  many,
  MB,
  MULTIPART_TYPE,
  PREFLIGHT,
  upload,
} from "../payloads.js";
import type { Target } from "../target.js";

const VIEWER = JSON.stringify({ query: "{ viewer { id } }", variables: {} });

const mapped = (path: string): Buffer =>
  multipart([
    { name: "operations", content: VIEWER },
    { name: "map", content: JSON.stringify({ 0: [path] }) },
    { name: "0", content: "x", filename: "a.png" },
  ]);

/** Names that objects and functions have of their own accord. */
const INHERITED = ["hasOwnProperty.call", "toString.call", "__proto__.x", "constructor.prototype.x", "valueOf.apply"];

const graphqlForm = (target: Target, body: Buffer, more: Record<string, string> = {}) =>
  target.ask({ method: "POST", path: "/graphql", headers: { ...MULTIPART_TYPE, ...more }, body });

/** Fields without a file, so many bytes of them. */
const fields = (count: number, bytes: number): Buffer =>
  multipart(Array.from({ length: count }, (_, index) => ({ name: `f${index}`, content: "a".repeat(bytes) })));

/** Sends a file in sixteen slow uploads, without an end. */
const slowUploads = (path: string, from: number) => async (target: Target) => {
  await Promise.all(
    Array.from({ length: 16 }, async (_, index) => {
      async function* slowly() {
        for await (const piece of bytesOf(48 * MB, MB)) {
          yield piece;
          await target.wait(60);
        }
        await target.rest();
      }
      const body = fileBody([], "upload[file]", slowly());
      await target.ask({ method: "POST", path, headers: MULTIPART_TYPE, body, from: index % from });
    }),
  );
};

const json = (target: Target, path: string, body: string) =>
  target.ask({ method: "POST", path, headers: JSON_TYPE, body });

export const bodies: readonly Attack[] = [
  {
    name: "row 1: a multipart map that names hasOwnProperty.call",
    send: (target) => graphqlForm(target, mapped("hasOwnProperty.call")),
  },
  {
    name: "multipart maps that name whatever objects inherit",
    async send(target) {
      for (const path of INHERITED)
        for (const prefix of ["", "variables.", "variables.x."])
          await graphqlForm(target, mapped(`${prefix}${path}`), PREFLIGHT);
    },
  },
  { name: "row 5: 16 slow uploads to a path that does not exist", seconds: 6, send: slowUploads("/nothing.json", 1) },
  { name: "16 slow uploads by nobody to /uploads", seconds: 6, send: slowUploads("/uploads.json", 16) },
  { name: "16 slow uploads by nobody to /graphql", seconds: 6, send: slowUploads("/graphql", 16) },
  {
    name: "row 13: two multipart bodies of 100 MB without files",
    seconds: 6,
    async send(target) {
      const part = fields(100, MB).subarray(0, -30);
      const two = ["/uploads.json", "/uploads.json"];
      await Promise.all(
        two.map((path) => target.ask({ method: "POST", path, headers: MULTIPART_TYPE, body: joined(part) })),
      );
    },
  },
  {
    name: "two multipart bodies of 100 MB without files to /graphql",
    seconds: 6,
    async send(target) {
      const part = fields(100, MB);
      await Promise.all([1, 2].map(() => graphqlForm(target, part, PREFLIGHT)));
    },
  },
  {
    name: "multipart of 100,000 parts",
    async send(target) {
      const body = fields(100_000, 1);
      await target.flood(2, (turn) =>
        turn % 2 ? graphqlForm(target, body, PREFLIGHT) : graphqlForm(target, body, { "x-method": "rest" }),
      );
    },
  },
  {
    name: "multipart with part headers of 1 MB, odd boundaries and no end",
    async send(target) {
      const big = `--b\r\nContent-Disposition: form-data; name="${"a".repeat(MB)}"\r\n${many(2000, (n) => `x-${n}: y\r\n`)}\r\nx`;
      const boundaries = [
        "b",
        `"b"`,
        "",
        "b".repeat(8_000),
        `"${"\\".repeat(1_000)}"`,
        "b; boundary=c",
        "b;".repeat(5_000),
      ];
      await target.flood(
        4,
        (turn) => {
          const boundary = boundaries[turn % boundaries.length] ?? "";
          const headers = { "content-type": `multipart/form-data; boundary=${boundary}`, ...PREFLIGHT };
          return target.ask({ method: "POST", path: turn % 2 ? "/graphql" : "/uploads.json", headers, body: big });
        },
        60,
      );
    },
  },
  {
    name: "JSON of depth 100,000 and more",
    async send(target) {
      const deep = ["[".repeat(400_000), `${'{"a":'.repeat(150_000)}1${"}".repeat(150_000)}`];
      const nested = `{"query":"{viewer{id}}","variables":${deep[1]}}`;
      await target.flood(
        2,
        async () => {
          for (const body of deep) await json(target, "/posts.json", body);
          for (const body of [...deep, nested]) await json(target, "/graphql", body);
        },
        40,
      );
    },
  },
  {
    name: "JSON with a number of a million digits, duplicate keys, __proto__",
    async send(target) {
      const digits = `{"post":{"x":${"9".repeat(MB - 100)}}}`;
      const keys = `{${many(50_000, (n) => `"__proto__":{"a${n}":1}`, ",").slice(0, MB - 100)}`;
      const twice = `{${many(60_000, () => `"search":{"x":1}`, ",")}`.slice(0, MB - 100);
      const kept = `{"search":{${many(40_000, (n) => `"k${n}":{"__proto__":1}`, ",")}}}`;
      await target.flood(
        2,
        async () => {
          for (const body of [digits, keys, twice, kept]) await json(target, "/posts.json", body);
          await json(target, "/graphql", `{"query":"{viewer{id}}","variables":${digits}}`);
        },
        30,
      );
    },
  },
  {
    name: "urlencoded bodies of 1 MB: brackets, percent signs, many names",
    async send(target) {
      const texts = [
        `a${"[b]".repeat(300_000)}=1`,
        "%".repeat(MB - 10),
        many(100_000, (n) => `a${n}=1`, "&"),
        many(90_000, () => "a[]=1", "&"),
        `search[${"%5B".repeat(300_000)}=1`,
        many(30_000, (n) => `search[a][b][c][d][${n}]=1`, "&").slice(0, MB - 10),
        "a=".repeat(400_000),
      ];
      await target.flood(
        4,
        (turn) => {
          const body = texts[turn % texts.length] ?? "";
          return target.ask({ method: "POST", path: "/posts.json?_method=GET", headers: FORM_TYPE, body });
        },
        150,
      );
    },
  },
  {
    name: "compressed bodies that grow a thousandfold",
    async send(target) {
      const bomb = gzipSync(Buffer.alloc(100 * MB, "a"));
      const headers = { ...JSON_TYPE, "content-encoding": "gzip" };
      await target.flood(
        4,
        (turn) => target.ask({ method: "POST", path: turn % 2 ? "/graphql" : "/posts.json", headers, body: bomb }),
        40,
      );
    },
  },
  {
    name: "bodies of 500 MB, where 1 MB is taken",
    seconds: 5,
    send: (target) =>
      target.flood(
        4,
        (turn) =>
          target.ask({
            method: "POST",
            path: turn % 2 ? "/graphql" : "/posts.json",
            headers: JSON_TYPE,
            body: bytesOf(200 * MB),
          }),
        4,
      ),
  },
  {
    name: "uploads of no type by a member, at full speed",
    writes: ["uploads"],
    send: (target) => target.flood(8, (turn) => upload(target, Buffer.alloc(100_000, String(turn))), 300),
  },
];
