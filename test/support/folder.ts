import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A temporary folder of a test, removed when the test disposes of it. */
export class Folder implements AsyncDisposable {
  private constructor(readonly path: string) {}

  static async make(): Promise<Folder> {
    return new Folder(await mkdtemp(join(tmpdir(), "graphbooru-test-")));
  }

  /** Absolute path of a name in this folder. */
  at(name: string): string {
    return join(this.path, name);
  }

  /** Writes a file. @returns its path */
  async write(name: string, content: string | Uint8Array, mode = 0o644): Promise<string> {
    await writeFile(this.at(name), content, { mode });
    return this.at(name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }
}
