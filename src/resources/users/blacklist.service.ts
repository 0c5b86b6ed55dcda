/** Posts that a viewer does not want to be shown: each line of the blacklist is a search. The board says which match; pages hide. */
import type { Config } from "../../config.js";
import { type Database, sql } from "../../database/client.js";
import type { Viewer } from "../../runtime/auth/viewer.js";
import { matchLines } from "../../search/posts/lines.js";
import type { TagCache } from "../../tagging/tag-cache.js";

/** The blacklist of visitors, and of new accounts: `users.blacklisted_tags` has it as its default. */
export const BOARD_BLACKLIST = "spoilers\nguro\nscat\nfurry -rating:s";

export interface BlacklistParts {
  database: Database;
  tagCache: TagCache;
  config: Config;
}

export class BlacklistService {
  constructor(private readonly parts: BlacklistParts) {}

  /** Of each post the lines of the viewer's blacklist that match it; posts that none matches may be absent. */
  async matching(viewer: Viewer, postIds: readonly number[]): Promise<Map<number, string[]>> {
    const { database, tagCache, config } = this.parts;
    const search = { context: { viewer, now: new Date() }, maxTerms: config.TAGS_PER_SEARCH };
    return matchLines({ db: database, cache: tagCache }, await this.textOf(viewer), postIds, search);
  }

  private async textOf({ id }: Viewer): Promise<string> {
    if (id === null) return BOARD_BLACKLIST;
    const [user] = await this.parts.database.prepared.query<{ text: string }>(sql`
      SELECT blacklisted_tags AS text FROM users WHERE id = ${id}`);
    return user?.text ?? "";
  }
}
