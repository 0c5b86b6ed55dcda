/** Posts that a viewer does not want to be shown: each line of the blacklist is a search. The board says which match; pages hide. */
import type { Config } from "../../config.js";
import { type Database, sql } from "../../database/client.js";
import type { Viewer } from "../../runtime/auth/viewer.js";
import { type MatchedPost, matchLines } from "../../search/posts/lines.js";
import type { TagCache } from "../../tagging/tag-cache.js";
import type { PostMemory } from "../posts/post.memory.js";
import { isStamped, type PostRef, type PostStamp } from "../posts/post.records.js";

/**
 * The blacklist of visitors, and of new accounts: `users.blacklisted_tags` has it as its default. Nothing but tags and ratings, so
 * that what matches a post is the same as long as the post and the aliases are.
 */
export const BOARD_BLACKLIST = "spoilers\nguro\nscat\nfurry -rating:s";

/** What the lines that match a post take in memory. */
const LINES_BYTES = 200;

export interface BlacklistParts {
  database: Database;
  tagCache: TagCache;
  config: Config;
  memory: PostMemory;
}

export class BlacklistService {
  constructor(private readonly parts: BlacklistParts) {}

  /** Of each post the lines of the viewer's blacklist that match it; posts that none matches may be absent. */
  async matching(viewer: Viewer, posts: readonly PostRef[]): Promise<Map<number, string[]>> {
    const text = await this.textOf(viewer);
    if (text === BOARD_BLACKLIST) return this.matchingBoards(viewer, posts);
    const found = await this.match(viewer, text, posts);
    return new Map([...found].map(([id, { lines }]) => [id, lines]));
  }

  /** The lines of the board's blacklist, which are remembered. */
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
    const [user] = await this.parts.database.prepared.query<{ text: string }>(sql`
      SELECT blacklisted_tags AS text FROM users WHERE id = ${id}`);
    return user?.text ?? "";
  }
}

/** Aliases are part of what a line means. */
const purposeOf = ({ tagGeneration }: PostStamp): string => `hidden ${tagGeneration}`;
