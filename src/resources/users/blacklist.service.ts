/** Blacklists: each line is a search, and the board reports which lines match a post; pages hide it. */
import type { Config } from "../../config.js";
import { type Database, sql } from "../../database/client.js";
import type { Viewer } from "../../runtime/auth/viewer.js";
import { type MatchedPost, matchLines } from "../../search/posts/lines.js";
import type { TagCache } from "../../tagging/tag-cache.js";
import type { PostMemory } from "../posts/post.memory.js";
import { isStamped, type PostRef, type PostStamp } from "../posts/post.records.js";

/**
 * The blacklist of visitors and new accounts, the default of `users.blacklisted_tags`. It has only tags and ratings, so
 * that its matches of a post stay the same until the post or the aliases change.
 */
export const BOARD_BLACKLIST = "spoilers\nguro\nscat\nfurry -rating:s";

/** Memory of the matching lines of a post. */
const LINES_BYTES = 200;

export interface BlacklistParts {
  database: Database;
  tagCache: TagCache;
  config: Config;
  memory: PostMemory;
}

export class BlacklistService {
  constructor(private readonly parts: BlacklistParts) {}

  /** The lines of the viewer's blacklist that match each post; posts without matches may be absent. */
  async matching(viewer: Viewer, posts: readonly PostRef[]): Promise<Map<number, string[]>> {
    const text = await this.textOf(viewer);
    if (text === BOARD_BLACKLIST) return this.matchingBoards(viewer, posts);
    const found = await this.match(viewer, text, posts);
    return new Map([...found].map(([id, { lines }]) => [id, lines]));
  }

  /** The lines of the board's blacklist, which are cached. */
  private async matchingBoards(viewer: Viewer, posts: readonly PostRef[]): Promise<Map<number, string[]>> {
    const { memory, tagCache } = this.parts;
    const recalled = (post: PostRef) => isStamped(post) && (memory.get(post, purposeOf(post)) as string[]);
    const lines = new Map(posts.map((post) => [post.id, recalled(post) || null] as const));
    const unknown = posts.filter(({ id }) => lines.get(id) === null);
    for (const post of unknown) if (isStamped(post)) tagCache.learn(post.tagGeneration);
    const found =
      unknown.length > 0 ? await this.match(viewer, BOARD_BLACKLIST, unknown) : new Map<number, MatchedPost>();
    for (const post of unknown) {
      const matched = found.get(post.id);
      const matching = matched?.lines ?? [];
      lines.set(post.id, matching);
      // that no tag of the lines exists is true of the post as it was when it was read
      if (isStamped(post) && (matched?.revision ?? post.revision) === post.revision)
        memory.putBeside(post, purposeOf(post), matching, LINES_BYTES);
    }
    return lines as Map<number, string[]>;
  }

  private match(viewer: Viewer, text: string, posts: readonly PostRef[]): Promise<Map<number, MatchedPost>> {
    const { database, tagCache, config } = this.parts;
    const search = { context: { viewer, now: new Date() }, maxTerms: config.TAGS_PER_SEARCH };
    const ids = posts.map(({ id }) => id);
    return matchLines({ db: database, cache: tagCache }, text, ids, search);
  }

  private async textOf({ id }: Viewer): Promise<string> {
    if (id === null) return BOARD_BLACKLIST;
    const [user] = await this.parts.database.byKeys(1).query<{ text: string }>(sql`
      SELECT blacklisted_tags AS text FROM users WHERE id = ${id}`);
    return user?.text ?? "";
  }
}

/** Matches depend on aliases. */
const purposeOf = ({ tagGeneration }: PostStamp): string => `hidden ${tagGeneration}`;
