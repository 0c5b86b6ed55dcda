/** Builds in separate folders, and a link to the deployed one, as on a production machine. */
import { cp, mkdir, readFile, rename, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { Folder } from "./folder.js";
import { ROOT } from "./project.js";

/** The files of a release. */
const PARTS = ["dist", "prisma", "package.json"];

export class Releases implements AsyncDisposable {
  private latest = 1;

  private constructor(private readonly folder: Folder) {}

  /** The first release is a copy of this checkout's build, and is deployed. */
  static async make(): Promise<Releases> {
    const releases = new Releases(await Folder.make());
    await releases.copy(ROOT);
    await releases.deploy();
    return releases;
  }

  /** The link to the deployed release. */
  get current(): string {
    return this.folder.at("current");
  }

  private at(name: string): string {
    return path.join(this.folder.path, String(this.latest), name);
  }

  private async copy(from: string): Promise<void> {
    for (const name of PARTS) await cp(path.join(from, name), this.at(name), { recursive: true });
    await symlink(path.join(ROOT, "node_modules"), this.at("node_modules"));
  }

  /** Creates the next release, an unchanged copy. */
  async next(): Promise<void> {
    const before = this.at("");
    this.latest += 1;
    await this.copy(before);
  }

  /** Replaces a text in the latest release. @throws Error if the file does not contain it */
  async change(file: string, words: string, others: string): Promise<void> {
    const text = await readFile(this.at(file), "utf8");
    if (!text.includes(words)) throw new Error(`${file} has no ${words}`);
    await writeFile(this.at(file), text.replace(words, others));
  }

  /** Adds a migration to the latest release. */
  async migration(name: string, sql: string): Promise<void> {
    const folder = this.at(`prisma/migrations/${name}`);
    await mkdir(folder);
    await writeFile(path.join(folder, "migration.sql"), sql);
  }

  /** Deploys the latest release, or another one. */
  async deploy(number = this.latest): Promise<void> {
    await symlink(String(number), this.folder.at("new"));
    await rename(this.folder.at("new"), this.current);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.folder[Symbol.asyncDispose]();
  }
}
