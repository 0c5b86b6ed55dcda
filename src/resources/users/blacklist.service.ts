/** Blacklists: each line is a search, and the board reports which lines match a post; pages hide it. */
import { type Queryable, sql } from "../../database/client.js";
import type { Viewer } from "../../runtime/auth/viewer.js";
import { type MatchedPost, matchLines } from "../../search/posts/lines.js";
import { isStamped, type PostRef, type PostStamp } from "../posts/post.records.js";
import type { PostServiceParts } from "../posts/post.service.js";

/**
 * The blacklist of visitors and new accounts, the default of `users.blacklisted_tags`. It has only tags and ratings, so
 * that its matches of a post stay the same until the post or the aliases change.
 */
export const BOARD_BLACKLIST = "spoilers\nguro\nscat\nfurry -rating:s";

/** Memory of the matching lines of a post. */
const LINES_BYTES = 200;

type Lines = string[];

export type BlacklistParts = Pick<PostServiceParts, "database" | "tagCache" | "config" | "postCache">;

export class BlacklistService {
  constructor(private readonly parts: BlacklistParts) {}

  /** The lines of the viewer's blacklist that match each post, in the order of the posts; without a promise if all are cached. */
  matching(viewer: Viewer, posts: readonly PostRef[]): Lines[] | Promise<Lines[]> {
    return viewer.id === null ? this.matchingBoards(viewer, posts) : this.matchingOwn(viewer, viewer.id, posts);
  }

  private async matchingOwn(viewer: Viewer, userId: number, posts: readonly PostRef[]): Promise<Lines[]> {
    const [user] = await this.parts.database.byKeys(1).query<{ text: string }>(sql`
      SELECT blacklisted_tags AS text FROM users WHERE id = ${userId}`);
    const text = user?.text ?? "";
    if (text === BOARD_BLACKLIST) return this.matchingBoards(viewer, posts);
    const found = await this.match(this.parts.database, viewer, text, posts);
    return posts.map(({ id }) => found.get(id)?.lines ?? []);
  }

  /** The lines of the board's blacklist, which are cached. */
  private matchingBoards(viewer: Viewer, posts: readonly PostRef[]): Lines[] | Promise<Lines[]> {
    const { postCache } = this.parts;
    const known = posts.map((post) =>
      isStamped(post) ? (postCache.get(post, purposeOf(post)) as Lines | undefined) : undefined,
    );
    return known.every((lines) => lines !== undefined) ? known : this.readBoards(viewer, posts, known);
  }

  private async readBoards(
    viewer: Viewer,
    posts: readonly PostRef[],
    known: readonly (Lines | undefined)[],
  ): Promise<Lines[]> {
    const { postCache, database } = this.parts;
    const unknown = posts.filter((_, index) => !known[index]);
    const found = await this.match(database.byKeys(unknown.length), viewer, BOARD_BLACKLIST, unknown);
    return posts.map((post, index) => {
      const remembered = known[index];
      if (remembered) return remembered;
      const matched = found.get(post.id);
      const lines = matched?.lines ?? [];
      // without any tag of the lines, no line matches the post as it was read
      if (isStamped(post) && (matched?.revision ?? post.revision) === post.revision)
        postCache.putBeside(post, purposeOf(post), lines, LINES_BYTES);
      return lines;
    });
  }

  private match(
    db: Queryable,
    viewer: Viewer,
    text: string,
    posts: readonly PostRef[],
  ): Promise<Map<number, MatchedPost>> {
    const { tagCache, config } = this.parts;
    for (const post of posts) if (isStamped(post)) tagCache.learn(post.tagGeneration);
    const search = { context: { viewer, now: new Date() }, maxTerms: config.TAGS_PER_SEARCH };
    const ids = posts.map(({ id }) => id);
    return matchLines({ db, cache: tagCache }, text, ids, search);
  }
}

/** Matches depend on aliases. */
const purposeOf = ({ tagGeneration }: PostStamp): string => `hidden ${tagGeneration}`;
