/** docs/deploy.md and the files of deploy/: everything they mention exists, and the programs that read such files accept them. */
import { execFile, execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { isIP } from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { type ConfigError, loadConfig, variables } from "../../src/config.js";
import { isPublicAddress } from "../../src/sources/target.js";
import { Folder } from "../support/folder.js";
import { exampleOf, isInstalled, nginxArguments, SYSTEM } from "../support/proxies.js";
import { ROOT, readProjectFile } from "../support/project.js";

const run = promisify(execFile);
const page = readProjectFile("docs/deploy.md");
const files = readdirSync(path.join(ROOT, "deploy"));
const units = files.filter((name) => /\.(service|timer)$/.test(name));

/** What the page has as code, in lines and in blocks. */
const code = [...page.matchAll(/```\w*\n([\s\S]*?)```|`([^`\n]+)`/g)].map(([, block, span]) => block ?? span ?? "");
const found = (pattern: RegExp, texts = code): string[] => [
  ...new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map(([all, group]) => group ?? all))),
];
const isSetting = (name: string): boolean => name in variables.shape;

/** Written in capitals, and no setting of the board. */
const OTHERS = ["POSTGRES_PASSWORD"];

describe("docs/deploy.md", () => {
  it("names existing settings", () => {
    const names = [...found(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g), ...found(/(?:^|[\s`])([A-Z][A-Z0-9_]{3,})=/gm)];
    expect(names.length).toBeGreaterThan(15);
    expect(names.filter((name) => !isSetting(name) && !OTHERS.includes(name))).toEqual([]);
  });

  it("gives valid values for settings", () => {
    const pairs = found(/(?:^|[\s`])([A-Z][A-Z0-9_]{3,}=[\w./:@-]+)(?=$|[\s`])/gm).map((pair) => pair.split("="));
    for (const [name = "", value] of pairs.filter(
      ([key = ""]) => isSetting(key) && key !== "ENV_FILE" && key !== "SECRET",
    ))
      expect([
        name,
        loadConfig({ REDIS_URL: "redis://one", S3_BUCKET: "bucket", [name]: value })[name as "PORT"],
      ]).not.toContain(undefined);
    expect(pairs.length).toBeGreaterThan(6);
  });

  it("names existing commands", { timeout: 60_000 }, async () => {
    const commands = found(/\bboard ((?:db|jobs|user|storage) [a-z]+|[a-z]+(?= |$|\n|`))/g);
    expect(commands).toEqual(
      expect.arrayContaining(["verify", "backup", "restore", "user create", "jobs run", "db migrate"]),
    );
    execFileSync("node", ["scripts/setup.mjs", "--quiet"], { cwd: ROOT });
    for (const command of commands) {
      const { stdout } = await run("node", ["dist/src/cli.js", ...command.split(" "), "--help"], { cwd: ROOT });
      expect(stdout).toContain(`Usage: board ${command}`);
    }
  });

  it("names existing scripts, files and units", () => {
    const { scripts } = JSON.parse(readProjectFile("package.json")) as { scripts: Record<string, string> };
    expect(found(/npm run (?:-s )?([\w:]+)/g).filter((name) => !(name in scripts))).toEqual([]);
    const paths = found(/(?<![\w/.-])(?:deploy|test|src|docs|scripts|prisma)\/[\w./-]+\w/g);
    expect(paths.length).toBeGreaterThan(8);
    expect(paths.filter((name) => !existsSync(path.join(ROOT, name)))).toEqual([]);
    const built = found(/dist\/(src\/\w+)\.js/g).map((name) => `${name}.ts`);
    expect(built.toSorted()).toEqual(["src/cli.ts", "src/main.ts"]);
    const named = found(/(?:systemctl [a-z-]+(?: --now)?|journalctl -u) ((?:graphbooru[\w.-]*\s?)+)/g).flatMap((list) =>
      list.trim().split(" "),
    );
    expect(named.filter((unit) => !units.includes(unit.includes(".") ? unit : `${unit}.service`))).toEqual([]);
  });

  it("links to existing pages and headings", () => {
    for (const [, file = "", anchor] of page.matchAll(/\]\(([\w./-]+)(?:#([\w-]+))?\)/g)) {
      const text = readProjectFile(path.join("docs", file));
      const anchors = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
        title.toLowerCase().replaceAll(/\W+/g, "-"),
      );
      expect([file, anchor, anchor === undefined || anchors.includes(anchor)]).toEqual([file, anchor, true]);
    }
  });

  it("mentions every file of deploy/, and quotes log messages that exist", () => {
    expect(files.filter((name) => !page.includes(`deploy/${name}`))).toEqual([]);
    const source = ["src/runtime/processes/primary.ts", "src/database/open.ts"].map(readProjectFile).join("");
    for (const message of ["reloaded", "the reload was abandoned", "database migrated"]) {
      expect([message, source.includes(`"${message}"`), page.includes(message)]).toEqual([message, true, true]);
    }
  });

  it("states the actual defaults", () => {
    const { DRAIN_MS, MAX_UPLOAD_BYTES, HOST } = loadConfig({});
    expect([DRAIN_MS, MAX_UPLOAD_BYTES, HOST]).toEqual([2_000, 100 * 1024 ** 2, "127.0.0.1"]);
    expect(readProjectFile("src/http/server.ts")).toContain("keepAliveTimeout: 65_000");
    expect(readProjectFile("src/http/server.ts")).toContain("DRAIN_MILLISECONDS = 10_000");
  });
});

describe("board --version", () => {
  it("is that of package.json", () => {
    const { version } = JSON.parse(readProjectFile("package.json")) as { version: string };
    expect(execFileSync("node", ["dist/src/cli.js", "--version"], { encoding: "utf8" })).toBe(`${version}\n`);
  });
});

/** The faults of settings. */
function refused(settings: Record<string, string>): string[] {
  try {
    return loadConfig(settings) && [];
  } catch (error) {
    return (error as ConfigError).faults;
  }
}

describe("the environment", () => {
  it("reports all errors together", () => {
    expect(refused({ PORT: "many", WORKERS: "0" })).toEqual([
      "PORT: must be an integer from 0 to 65535",
      "WORKERS: must be an integer from 1 to 256",
    ]);
    expect(refused({ STORAGE: "s3", LIMITS_STORE: "redis", DATABASE_REPLICA_URLS: "postgres://two/board" })).toEqual([
      "S3_BUCKET: STORAGE=s3 needs the name of a bucket",
      "LIMITS_STORE: redis requires REDIS_URL",
      "DATABASE_REPLICA_URLS: the embedded database has no replicas; it needs DATABASE_URL",
    ]);
    expect(refused({ PORT: "many", STORAGE: "s3", LIMITS_STORE: "redis" })).toEqual([
      "PORT: must be an integer from 0 to 65535",
      "S3_BUCKET: STORAGE=s3 needs the name of a bucket",
      "LIMITS_STORE: redis requires REDIS_URL",
    ]);
  });

  it("reports an invalid value once, not again as missing for the settings that need it", () => {
    const settings = { STORAGE: "s3", S3_BUCKET: "b", LIMITS_STORE: "redis", REDIS_URL: "redis" };
    expect(refused(settings)).toEqual([
      "REDIS_URL: must be a URL that starts with redis:// or rediss://, its password percent-encoded",
      "S3_BUCKET: Too small: expected string to have >=3 characters",
    ]);
  });

  it("refuses the URL of a database or Redis whose password is not percent-encoded, without repeating it", () => {
    for (const password of ["pa#ss", "12#ss", "pa/ss"]) {
      const address = `//board:${password}@127.0.0.1/board`;
      const urls = { DATABASE_URL: `postgres:${address}`, DATABASE_REPLICA_URLS: `postgres:${address}` };
      const form = "must be a URL that starts with postgres:// or postgresql://, its password percent-encoded";
      expect(refused({ ...urls, REDIS_URL: `redis:${address}` })).toEqual([
        `DATABASE_URL: ${form}`,
        `DATABASE_REPLICA_URLS: each ${form}`,
        "REDIS_URL: must be a URL that starts with redis:// or rediss://, its password percent-encoded",
      ]);
    }
  });

  it("takes the URL of a database behind a Unix socket", () => {
    for (const url of [
      "postgres:///board?host=/run",
      "postgresql://b@/board?host=/run",
      "postgres://b:%23@%2Frun/board",
    ])
      expect(refused({ DATABASE_URL: url, DATABASE_REPLICA_URLS: url, REDIS_URL: "redis:///1" })).toEqual([]);
  });

  it("uses the default for a blank value", () => {
    expect(loadConfig({ PORT: " ", UPLOADS_PER_DAY: " ", JOBS: "" })).toMatchObject({
      PORT: 3000,
      UPLOADS_PER_DAY: 50,
      JOBS: true,
    });
  });
});

describe("ENV_FILE", () => {
  it("sets values that the environment overrides", async () => {
    await using folder = await Folder.make();
    const file = await folder.write(
      "settings",
      `# limits\nMAX_PAGE=7\nPORT=80 # no\nSECRET="${"#".repeat(32)}"\n\nJOBS=\n`,
    );
    const config = loadConfig({ ENV_FILE: file, PORT: "81", HOST: "" });
    expect(config).toMatchObject({ MAX_PAGE: 7, PORT: 81, SECRET: "#".repeat(32), JOBS: true, HOST: "127.0.0.1" });
  });

  it("may begin with a byte order mark", async () => {
    await using folder = await Folder.make();
    const file = await folder.write("settings", "\ufeffMAX_PAGE=7\r\nBOARD_NAME=' '\r\n");
    const config = loadConfig({ ENV_FILE: file });
    expect(config).toMatchObject({ MAX_PAGE: 7, BOARD_NAME: "Graphbooru" });
    expect(config.unknownSettings).toEqual([]);
  });

  it("may contain unknown names, which are reported", async () => {
    await using folder = await Folder.make();
    const file = await folder.write("settings", "BASE_URL=\nPORT=80\nTRUSTPROXY=1\n");
    expect(loadConfig({ ENV_FILE: file, HOME: "/root" }).unknownSettings).toEqual(["BASE_URL", "TRUSTPROXY"]);
  });

  it("must exist and be valid", async () => {
    await using folder = await Folder.make();
    const faults = (file: string) => refused({ ENV_FILE: file });
    expect(faults(folder.at("none"))).toEqual([`ENV_FILE: ${folder.at("none")} can't be read (ENOENT)`]);
    expect(faults(await folder.write("wrong", "PORT=many"))).toEqual([expect.stringMatching(/^PORT: /)]);
    const lines = await folder.write(
      "lines",
      '# ours\nBOARD_NAME="two\nlines"\nPORT 80\n  \nexport JOBS=no\nWORKERS\n',
    );
    expect(faults(lines)).toEqual([4, 7].map((line) => `ENV_FILE: line ${line} of ${lines} is not NAME=VALUE`));
  });

  it("has proxies, hosts and numbers in the form that is read", () => {
    for (const proxies of ["1", "127.0.0.1", "10.0.0.0/8, ::1", "loopback"])
      expect(refused({ TRUST_PROXY: proxies })).toEqual([]);
    const hops = "TRUST_PROXY: must be a number of hops, or addresses and networks separated by commas";
    for (const proxies of ["-1", "proxy.example", "10.0.0.0/99"])
      expect(refused({ TRUST_PROXY: proxies })).toEqual([hops]);
    for (const url of ["https://board.example", "http://127.0.0.1:8080", "https://Board.example:443"])
      expect(refused({ PUBLIC_URL: url })).toEqual([]);
    const base = "PUBLIC_URL: must be http(s)://host without a path or a trailing slash";
    for (const url of ["board.example", "https://a b", "https://a:99999", "https://a/b", "https://u@a", "https://a?b"])
      expect(refused({ PUBLIC_URL: url })).toEqual([base]);
    expect(refused({ SOURCE_ALLOW_HOSTS: "a.example:80,[::1]:8080" })).toEqual([]);
    const hosts = "SOURCE_ALLOW_HOSTS: each must be host:port";
    for (const given of ["a.example:80, b.example", "a:99999", "http://a:80", "a/b:80", "a b:80", ":80"])
      expect(refused({ SOURCE_ALLOW_HOSTS: given })).toEqual([hosts]);
    for (const port of ["http", "80.5", "-1", "65536"])
      expect(refused({ PORT: port })).toEqual(["PORT: must be an integer from 0 to 65535"]);
    for (const name of ["DATABASE_WAIT_MS", "BODY_STALL_MS", "STATEMENT_TIMEOUT_MS", "S3_TIMEOUT_MS"]) {
      expect(refused({ [name]: "2000000000" })).toEqual([]);
      expect(refused({ [name]: "3000000000" })).toEqual([
        expect.stringMatching(/ must be an integer from \d+ to 2000000000$/),
      ]);
    }
    expect(refused({ MAX_UPLOAD_BYTES: "2147483647" })).toEqual([]);
    const bytes = "MAX_UPLOAD_BYTES: must be an integer from 1 to 2147483647"; // the size of a file is a column
    expect(refused({ MAX_UPLOAD_BYTES: "2147483648" })).toEqual([bytes]);
    const minutes = "VERSION_MERGE_MINUTES: must be an integer from 0 to 2147483647"; // as PostgreSQL takes them
    expect(refused({ VERSION_MERGE_MINUTES: "2147483648" })).toEqual([minutes]);
    expect(refused({ MAX_REQUESTS: "many" })).toEqual(["MAX_REQUESTS: must be an integer of at least 1"]);
  });
});

describe("the options of Node", () => {
  /** Of the command that starts a server, as words or as a list in JSON. */
  const optionsIn = (file: string) => {
    const words = readProjectFile(file).replaceAll(/[",]+/g, " ");
    return /node +(--.*?) +\S*dist\/src\/main\.js/.exec(words)?.[1]?.split(/ +/) ?? [];
  };

  it.each(["deploy/graphbooru.service", "deploy/Dockerfile"])("in %s are those of `npm start`", (file) => {
    expect(optionsIn("package.json")).toContain("--enable-source-maps");
    expect(optionsIn(file)).toEqual(optionsIn("package.json"));
  });
});

describe("the units of systemd", () => {
  const valuesOf = (unit: string, key: string) =>
    found(new RegExp(`^${key}=(.*)$`, "gm"), [readProjectFile(`deploy/${unit}`)]);

  it.each(units.filter((name) => name.endsWith(".service")))(
    "%s uses existing settings, and the programs and account of the page",
    (unit) => {
      const names = valuesOf(unit, "Environment").map((pair) => pair.split("=")[0] ?? "");
      expect(names.filter((name) => !isSetting(name))).toEqual(["NODE_ENV"]);
      expect(valuesOf(unit, "User")).toEqual(["graphbooru"]);
      expect(valuesOf(unit, "ExecStart").join()).toMatch(
        /\/usr\/bin\/node .*\/opt\/graphbooru\/current\/dist\/src\/(main|cli)\.js/,
      );
      for (const name of ["/var/lib/graphbooru", "/etc/graphbooru/settings", "/opt/graphbooru/current"])
        expect(page).toContain(name);
    },
  );

  it.each(units.filter((name) => name.endsWith(".service")))(
    "%s limits memory and tasks, and gains no privileges",
    (unit) => {
      expect(valuesOf(unit, "MemoryMax").join()).toMatch(/^\d+G$/);
      expect(Number(valuesOf(unit, "TasksMax"))).toBeGreaterThan(0);
      const confined = ["NoNewPrivileges", "ProtectSystem", "CapabilityBoundingSet", "AmbientCapabilities"];
      expect(confined.flatMap((key) => valuesOf(unit, key))).toEqual(["yes", "strict", "", ""]);
    },
  );

  it.each(units.filter((name) => name.endsWith(".service")))(
    "%s can't reach the metadata services of clouds",
    (unit) => {
      const denied = valuesOf(unit, "IPAddressDeny").join(" ").split(" ");
      expect(denied).toEqual(expect.arrayContaining(["169.254.169.254", "168.63.129.16", "fd00:ec2::254"]));
      expect(denied.filter(isPublicAddress)).toEqual([]); // a source may not name what the unit may not reach
    },
  );

  it("wait long enough when stopping: DRAIN_MS plus a minute", () => {
    const { DRAIN_MS } = loadConfig({ DRAIN_MS: "60000" });
    expect(Number(valuesOf("graphbooru.service", "TimeoutStopSec")[0])).toBeGreaterThanOrEqual(DRAIN_MS / 1000 + 60);
    expect(valuesOf("graphbooru.service", "ExecReload")).toEqual(["/bin/kill -HUP $MAINPID"]);
  });

  it.each(units.filter((name) => name.endsWith(".service")))(
    "%s leaves the embedded database to the process that uses it last",
    (unit) => {
      expect(valuesOf(unit, "KillMode")).toEqual(["process"]);
    },
  );

  it.skipIf(!isInstalled("systemd-analyze"))("pass systemd-analyze verify, if installed", async () => {
    await using folder = await Folder.make();
    for (const unit of units) {
      // node may be elsewhere here
      await folder.write(unit, readProjectFile(`deploy/${unit}`).replaceAll("/usr/bin/node", process.execPath));
    }
    const paths = units.map((unit) => folder.at(unit));
    const { stderr, status } = spawnSync("systemd-analyze", ["verify", "--man=no", ...paths], { encoding: "utf8" });
    const ours = stderr.split("\n").filter((line) => line.includes("graphbooru"));
    expect([ours, status]).toEqual([[], 0]);
  });
});

interface Service {
  environment?: Record<string, string | number>;
  command?: string[];
  depends_on?: Record<string, unknown>;
  volumes?: string[];
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  mem_limit?: string;
  pids_limit?: number;
  stop_grace_period?: string;
  build?: { context: string; dockerfile: string };
}

describe("deploy/compose.yml", () => {
  let compose: {
    services: Record<string, Service>;
    volumes: Record<string, unknown>;
    networks: { board: { ipam: { config: { gateway: string }[] } } };
  };
  beforeAll(() => {
    const text = readProjectFile("deploy/compose.yml").replaceAll(/\$\{(\w+):\?\}/g, (_, name: string) =>
      name.padEnd(32, "x"),
    );
    compose = parse(text, { merge: true }) as typeof compose;
  });

  it("runs the server, jobs, PostgreSQL and Redis", () => {
    expect(Object.keys(compose.services)).toEqual(["server", "jobs", "postgres", "redis"]);
  });

  it.each(["server", "jobs"])("gives %s valid settings, and existing services and volumes", (name) => {
    const { environment = {}, depends_on: needs = {}, volumes = [], build } = compose.services[name] as Service;
    expect(Object.keys(environment).filter((setting) => !isSetting(setting))).toEqual([]);
    const settings = Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, String(value)]));
    expect(loadConfig(settings)).toMatchObject({ SECRET: "SECRET".padEnd(32, "x"), REDIS_URL: "redis://redis:6379/0" });
    expect(Object.keys(needs).filter((service) => !(service in compose.services))).toEqual([]);
    expect(
      volumes.map((volume) => volume.split(":")[0] ?? "").filter((volume) => !(volume in compose.volumes)),
    ).toEqual([]);
    expect(existsSync(path.join(ROOT, "deploy", build?.context ?? "", build?.dockerfile ?? ""))).toBe(true);
  });

  it.each(["server", "jobs", "postgres", "redis"])(
    "%s can't write to its image or gain privileges, and has limits on memory and processes",
    (name) => {
      expect(compose.services[name]).toMatchObject({
        read_only: true,
        cap_drop: ["ALL"],
        security_opt: ["no-new-privileges:true"],
        mem_limit: expect.stringMatching(/^\d+[mg]$/) as string,
        pids_limit: expect.any(Number) as number,
      });
    },
  );

  it("trusts only the proxy's address, the network's gateway", () => {
    const [{ gateway } = { gateway: "" }] = compose.networks.board.ipam.config;
    expect(isIP(gateway)).toBe(4);
    expect(compose.services.server?.environment?.TRUST_PROXY).toBe(gateway);
  });

  it("runs jobs in a separate process", () => {
    expect(compose.services.server?.environment).toMatchObject({ JOBS: "false" });
    expect(compose.services.jobs?.command?.slice(-3)).toEqual(["dist/src/cli.js", "jobs", "run"]);
  });

  it("waits long enough when stopping", () => {
    expect(compose.services.server?.stop_grace_period).toBe("2m");
    expect(Number(compose.services.server?.environment?.DRAIN_MS)).toBeLessThanOrEqual(60_000);
  });
});

describe("the example proxies", () => {
  const proxies = ["nginx.conf", "Caddyfile", "haproxy.cfg"];

  it.each(proxies)("%s proxies to the board's port, blocks /metrics and mentions TRUST_PROXY", (name) => {
    const text = readProjectFile(`deploy/${name}`);
    expect([text.includes(":3000"), text.includes("/metrics"), text.includes("TRUST_PROXY=1")]).toEqual([
      true,
      true,
      true,
    ]);
  });

  it.each(["nginx.conf", "Caddyfile"])("%s allows bodies of MAX_UPLOAD_BYTES", (name) => {
    const size =
      Number(/(?:client_max_body_size|max_size) (\d+)M?/i.exec(readProjectFile(`deploy/${name}`))?.[1]) * 1e6;
    expect(size).toBeGreaterThan(loadConfig({}).MAX_UPLOAD_BYTES);
  });

  it.skipIf(!isInstalled("nginx") || !isInstalled("openssl"))("nginx accepts nginx.conf, if installed", async () => {
    await using folder = await Folder.make();
    const args = ["-t", ...(await nginxArguments(folder, await exampleOf(folder, "nginx.conf")))];
    const { stderr, status } = spawnSync("nginx", args, { env: SYSTEM, encoding: "utf8" });
    expect([stderr, status]).toEqual([expect.stringContaining("test is successful"), 0]);
  });

  it.skipIf(!isInstalled("haproxy") || !isInstalled("openssl"))(
    "HAProxy accepts haproxy.cfg, if installed",
    async () => {
      await using folder = await Folder.make();
      const file = await folder.write("haproxy.cfg", await exampleOf(folder, "haproxy.cfg"));
      const { stderr, status } = spawnSync("haproxy", ["-c", "-f", file], { env: SYSTEM, encoding: "utf8" });
      expect([stderr.includes("ALERT"), status]).toEqual([false, 0]);
    },
  );

  it.skipIf(!isInstalled("caddy"))("Caddy accepts Caddyfile, if installed", async () => {
    const file = path.join(ROOT, "deploy/Caddyfile");
    const { stderr, status } = spawnSync("caddy", ["adapt", "--config", file], { env: SYSTEM, encoding: "utf8" });
    expect([stderr, status]).toEqual([expect.any(String), 0]);
  });
});
