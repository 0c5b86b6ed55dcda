/** A file system of a few megabytes in memory, which can be filled and made read-only. For root on Linux only. */
import { spawnSync } from "node:child_process";
import { rm, statfs, writeFile } from "node:fs/promises";
import path from "node:path";
import { Folder } from "./folder.js";

const mount = (...args: string[]): boolean => spawnSync("mount", args).status === 0;

function whyNot(): string | null {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "as root on Linux";
  const made = spawnSync("sh", [
    "-c",
    'd=$(mktemp -d) && mount -t tmpfs tmpfs "$d" && umount "$d"; s=$?; rmdir "$d"; exit $s',
  ]);
  return made.status === 0 ? null : "where mounting is allowed";
}

/** Why tests with it are skipped; null if it is supported here. */
export const noDisk: string | null = whyNot();

export class SmallDisk implements AsyncDisposable {
  private constructor(private readonly folder: Folder) {}

  static async mount(megabytes: number): Promise<SmallDisk> {
    const folder = await Folder.make();
    if (!mount("-t", "tmpfs", "-o", `size=${megabytes}m,mode=711`, "tmpfs", folder.path))
      throw new Error("no tmpfs could be mounted");
    return new SmallDisk(folder);
  }

  get path(): string {
    return this.folder.path;
  }

  private get filler(): string {
    return path.join(this.path, "filler");
  }

  /** Leaves room for so many bytes and no more, to the next page. */
  async fill(room: number): Promise<void> {
    await this.empty();
    const { bavail, bsize } = await statfs(this.path);
    await writeFile(this.filler, Buffer.alloc(Math.max(0, bavail * bsize - room)));
  }

  async empty(): Promise<void> {
    await rm(this.filler, { force: true });
  }

  /** Makes it read-only, as Linux does with a disk that fails, or writable again. */
  readOnly(isReadOnly: boolean): void {
    if (!mount("-o", `remount,${isReadOnly ? "ro" : "rw"}`, this.path)) throw new Error("it is busy");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    spawnSync("umount", ["-l", this.path]);
    await this.folder[Symbol.asyncDispose]();
  }
}
