/** Creates records through the board itself, with missing parents. Every name and picture is new. */
import { type LevelName, Level } from "../../src/runtime/auth/levels.js";
import type { Board } from "../../src/board.js";
import type { Answer, Client, Login, Params } from "./client.js";
import { twin } from "./twin-pictures.js";

export interface TestUser extends Login {
  id: number;
  password: string;
  level: number;
  /** requests as this user */
  client: Client;
}

export interface TestPost {
  id: number;
  uploadId: number;
  md5: string;
  uploader: TestUser;
}

/** Counts across all files of a worker. */
let serial = 0;

export class Factory {
  constructor(
    private readonly board: Board,
    private readonly anonymous: Client,
  ) {}

  /** A user of this level; `member` by default. */
  async user(level: Exclude<LevelName, "Anonymous"> = "Member", name = `user_${(serial += 1)}x`): Promise<TestUser> {
    const password = `password of ${name}`;
    const made = await this.board.users.create({ name, password, level: Level[level] });
    const login = { name, apiKey: made.passwordHash };
    return { ...login, id: made.id, password, level: made.level, client: this.anonymous.as(login) };
  }

  /** A small picture whose file no other call gives, nor a test that chooses a seed; all of a size look alike. */
  async picture(width = 64, height = 48): Promise<Blob> {
    serial += 1;
    const content = await twin(width, height, serial);
    return new Blob([new Uint8Array(content)], { type: "image/jpeg" });
  }

  /** The response to an upload of a new picture; these attributes override the usual ones. */
  async upload(uploader: TestUser, attributes: Params = {}): Promise<Answer> {
    const upload = { file: await this.picture(), rating: "s", tag_string: "tag_me_not", ...attributes };
    return uploader.client.post("/uploads.json", { upload });
  }

  /** A post with these tags, by a new Contributor (so that it is active) unless an uploader is given. */
  async post(tags = "tag_me_not", attributes: Params = {}, uploader?: TestUser): Promise<TestPost> {
    const by = uploader ?? (await this.user("Contributor"));
    const answer = await this.upload(by, { tag_string: tags, ...attributes });
    if (answer.status !== 200) throw new Error(`upload failed: ${answer.text}`);
    const { post_id: id, id: uploadId, md5 } = answer.json as { post_id: number; id: number; md5: string };
    return { id, uploadId, md5, uploader: by };
  }
}
