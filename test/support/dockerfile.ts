/**
 * Runs a Dockerfile's steps without Docker: each stage is a folder in which files are copied and commands run.
 * Steps that install system packages are skipped.
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync } from "node:fs";
import path from "node:path";

export interface Instruction {
  /** FROM, COPY, ... */
  name: string;
  rest: string;
}

/** The instructions, in order. */
export function instructionsOf(file: string): Instruction[] {
  const lines = readFileSync(file, "utf8")
    .replaceAll(/^#.*\n/gm, "")
    .replaceAll(/\\\n/g, " ")
    .split("\n");
  return lines.filter(Boolean).map((line) => {
    const [, name = "", rest = ""] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    return { name, rest: rest.trim() };
  });
}

/** The words of an instruction in JSON: CMD, HEALTHCHECK. */
export const wordsOf = ({ rest }: Instruction): string[] => JSON.parse(rest.slice(rest.indexOf("["))) as string[];

/** Paths that are not sent to Docker, by `.dockerignore`: later lines win. */
export function ignores(file: string): (name: string) => boolean {
  const lines = readFileSync(file, "utf8").split("\n");
  const patterns = lines.filter((line) => line && !line.startsWith("#"));
  return (name) =>
    patterns.reduce((ignored, pattern) => {
      const bare = pattern.replace(/^!/, "");
      const matches = bare === "*" || name === bare || name.startsWith(`${bare}/`);
      return matches ? !pattern.startsWith("!") : ignored;
    }, false);
}

export class Image {
  /** environment of the last stage */
  env: Record<string, string> = {};
  private readonly stages = new Map<string, string>();
  private stage = "";
  private workdir = "/";

  /**
   * @param context the folder that COPY copies from
   * @param folder where the stages come to be
   */
  constructor(
    private readonly context: string,
    private readonly folder: string,
    private readonly isIgnored: (name: string) => boolean,
  ) {}

  /** Absolute path of a path in the stage that is being made. */
  at(name: string): string {
    return path.join(this.stage, path.posix.resolve(this.workdir, name));
  }

  /** Executes an instruction; `beforeRun` is called before the first RUN that is executed. */
  apply({ name, rest }: Instruction, beforeRun: () => void): void {
    if (name === "FROM") this.begin(rest);
    if (name === "WORKDIR") mkdirSync(this.at((this.workdir = rest)), { recursive: true });
    if (name === "COPY") this.copy(rest.split(" "));
    if (name === "ENV")
      for (const pair of rest.split(" ")) this.env[pair.split("=")[0] ?? ""] = pair.split("=")[1] ?? "";
    if (name === "RUN" && !rest.includes("apt-get")) {
      beforeRun();
      const ran = spawnSync("sh", ["-c", rest], { cwd: this.at("."), encoding: "utf8" });
      if (ran.status !== 0) throw new Error(`RUN ${rest}: ${ran.status}\n${ran.stderr}`);
    }
  }

  private begin(rest: string): void {
    const [, stage = "last"] = / AS (\w+)$/.exec(rest) ?? [];
    this.stage = path.join(this.folder, stage);
    [this.workdir, this.env] = ["/", {}];
    mkdirSync(this.stage, { recursive: true });
    this.stages.set(stage, this.stage);
  }

  private copy(words: string[]): void {
    const stage = /^--from=(\w+)$/.exec(words[0] ?? "")?.[1];
    const sources = words.slice(stage ? 1 : 0, -1);
    const target = words.at(-1) ?? "";
    for (const source of sources) {
      const from = stage ? path.join(this.stages.get(stage) ?? "", source) : path.join(this.context, source);
      const to = target.endsWith("/") ? path.join(this.at(target), path.basename(source)) : this.at(target);
      if (!existsSync(from)) throw new Error(`COPY ${source}: there is no such file`);
      if (!stage && this.isIgnored(source)) throw new Error(`COPY ${source}: .dockerignore leaves it out`);
      this.copyTree(from, to, stage ? () => false : (each) => this.isIgnored(path.relative(this.context, each)));
    }
  }

  /** With links instead of copies for packages, which are many and never changed in place. */
  private copyTree(from: string, to: string, leaveOut: (name: string) => boolean): void {
    mkdirSync(path.dirname(to), { recursive: true });
    if (path.basename(from) === "node_modules") return linkTree(from, to);
    const filter = (each: string) => !leaveOut(each);
    cpSync(from, to, statSync(from).isDirectory() ? { recursive: true, filter } : {});
  }
}

/** npm's own list of what is installed, which it writes in place. */
const INSTALLED = ".package-lock.json";

/** Packages as a tree of hard links, or of copies where another disk is. */
export function linkTree(from: string, to: string): void {
  const linked = spawnSync("cp", ["-al", from, to], { encoding: "utf8" });
  if (linked.status !== 0) {
    rmSync(to, { recursive: true, force: true });
    cpSync(from, to, { recursive: true, verbatimSymlinks: true });
  }
  rmSync(path.join(to, INSTALLED));
  copyFileSync(path.join(from, INSTALLED), path.join(to, INSTALLED));
}
