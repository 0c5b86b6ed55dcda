/**
 * The steps of deploy/Dockerfile, executed in folders: the contents of the image suffice to build the board, and to run it without development
 * packages as an unprivileged user. Docker itself, the base image and `apt-get` are not tested.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { once } from "node:events";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Client } from "../support/client.js";
import { createDatabase, type TestDatabase } from "../support/database.js";
import { ignores, Image, type Instruction, instructionsOf, linkTree, wordsOf } from "../support/dockerfile.js";
import { Folder } from "../support/folder.js";
import { freePort } from "../support/free-port.js";
import { jpeg } from "../support/pictures.js";
import { ROOT } from "../support/project.js";

const run = promisify(execFile);
/** `node` of the base image */
const USER = 1000;
const isRoot = process.getuid?.() === 0;
const identity = isRoot ? { uid: USER, gid: USER } : {};

const instructions = instructionsOf(path.join(ROOT, "deploy/Dockerfile"));
const instruction = (name: string) => instructions.findLast((each) => each.name === name) as Instruction;

let folder: Folder;
let database: TestDatabase;
let image: Image;
let env: NodeJS.ProcessEnv;
let server: ChildProcess | undefined;
beforeAll(async () => {
  folder = await Folder.make();
  chmodSync(folder.path, 0o755);
  database = await createDatabase();
  image = new Image(ROOT, folder.path, ignores(path.join(ROOT, ".dockerignore")));
  // npm would fetch what the checkout has already: the same packages, as links
  const packages = () => linkTree(path.join(ROOT, "node_modules"), image.at("node_modules"));
  for (const each of instructions) image.apply(each, packages);
  const data = folder.at("data");
  mkdirSync(data);
  if (isRoot) chownSync(data, USER, USER);
  const { port, ...set } = { ...image.env, port: await freePort() };
  env = { PATH: process.env.PATH, ...set, DATA_DIR: data, PORT: String(port), DATABASE_URL: database.url };
}, 400_000);
afterAll(async () => {
  server?.kill("SIGKILL");
  await database?.drop();
  await folder?.[Symbol.asyncDispose]();
});

const command = ([program = "", ...args]: string[]) =>
  run(program === "node" ? process.execPath : program, args, { cwd: image.at("."), env, ...identity });

const client = () => new Client(`http://127.0.0.1:${env.PORT}`);

describe("deploy/Dockerfile", () => {
  it("uses this project's version of Node, and an unprivileged user", () => {
    const bases = instructions.filter(({ name }) => name === "FROM").map(({ rest }) => rest.split(" ")[0]);
    const major = readFileSync(path.join(ROOT, ".nvmrc"), "utf8").trim();
    expect(bases).toEqual([`node:${major}-bookworm-slim`, `node:${major}-bookworm-slim`]);
    expect(instruction("USER").rest).toBe("node");
  });

  it("leaves a folder with only what is needed to run", () => {
    expect(readdirSync(image.at(".")).toSorted()).toEqual(["dist", "node_modules", "package.json", "prisma"]);
    const { dependencies = {} } = JSON.parse(readFileSync(image.at("package.json"), "utf8")) as {
      dependencies?: Record<string, string>;
    };
    const { packages } = JSON.parse(readFileSync(path.join(ROOT, "package-lock.json"), "utf8")) as {
      packages: Record<string, { dev?: boolean }>;
    };
    const ofDevelopment = Object.keys(packages).filter((name) => packages[name]?.dev);
    const has = (name: string) => existsSync(image.at(`node_modules/${name}`));
    expect(ofDevelopment.length).toBeGreaterThan(100);
    expect(ofDevelopment.filter((name) => existsSync(image.at(name)))).toEqual([]);
    expect(Object.keys(dependencies).filter((name) => !has(name))).toEqual([]);
  });

  it("has a command that starts the server as that user", async () => {
    const [program = "", ...args] = wordsOf(instruction("CMD"));
    expect(program).toBe("node");
    server = spawn(process.execPath, args, { cwd: image.at("."), env, ...identity, stdio: "ignore" });
    const ready = () =>
      client()
        .get("/readyz")
        .then(
          ({ status }) => status,
          () => 0,
        );
    await expect.poll(ready, { timeout: 60_000, interval: 200 }).toBe(200);
  });

  it("has a health check that succeeds, and fails without a server", async () => {
    const check = wordsOf(instruction("HEALTHCHECK"));
    await expect(command(check)).resolves.toMatchObject({ stdout: "" });
    const other = await freePort();
    const elsewhere = run(process.execPath, check.slice(1), { env: { ...env, PORT: String(other) } });
    await expect(elsewhere).rejects.toMatchObject({ code: 1 });
  });

  it("serves uploads, searches, GraphiQL and the reference", async () => {
    const account = ["node", "dist/src/cli.js", "user", "create", "writer", "a long password", "contributor"];
    const { api_key: apiKey } = JSON.parse((await command(account)).stdout) as { api_key: string };
    const writer = client().as({ name: "writer", apiKey });
    const file = new Blob([new Uint8Array(await jpeg({ seed: 1 }))]);
    const uploaded = await writer.post("/uploads.json", { upload: { file, rating: "s", tag_string: "boxed" } });
    expect(uploaded.status).toBe(200);
    const found = await client().get("/posts.json", { tags: "boxed" });
    expect((found.json as { id: number }[]).map(({ id }) => id)).toEqual([uploaded.json.post_id]);
    const page = await fetch(`${client().url}/graphql`, { headers: { accept: "text/html" } });
    expect([page.status, (await client().get("/docs/")).status, (await client().get("/openapi.json")).status]).toEqual([
      200, 200, 200,
    ]);
    expect(JSON.parse((await command(["node", "dist/src/cli.js", "verify"])).stdout)).toMatchObject({ ok: true });
  });

  it("stops on SIGTERM", async () => {
    const ended = once(server as ChildProcess, "exit");
    server?.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
  });
});
