/** Posts and their first versions. */
import type { CommentTimes } from "./comments.js";
import type { Rows } from "./copy.js";
import { Families } from "./families.js";
import { favoritesOf, scoresOf } from "./favorites.js";
import { fileOf } from "./files.js";
import { chanceOf, type Plan } from "./plan.js";
import type { Random } from "./random.js";
import type { Word } from "./vocabulary.js";
import { wordsOf } from "./words.js";

/** Shares of posts. */
const FLAGGED = 0.002;
const BANNED = 0.002;
/** Number of newest posts that may be pending. */
const QUEUE = 0.02;

/** Columns of posts derived from other rows: seconds since the start by post, -1 for never. */
export interface PostTimes extends CommentTimes {
  noted: Int32Array;
}

export class PostMaker {
  /** number of posts with each word, by its id; complete after the rows of posts are generated */
  readonly counts: Int32Array;
  private readonly families: Families;

  constructor(
    private readonly plan: Plan,
    private readonly times: PostTimes,
  ) {
    this.counts = new Int32Array(plan.vocabulary.words.length + 1);
    this.families = new Families(plan);
  }

  /** Rows of `posts`. Counts words, and uploads of users. */
  *rows(): Rows {
    const { plan } = this;
    for (let id = 1; id <= plan.posts; id += 1) {
      const words = wordsOf(plan, id);
      for (const word of words) this.counts[word.id] = (this.counts[word.id] ?? 0) + 1;
      const shared = this.shared(id, words);
      plan.crowd.count("uploads", shared.uploader_id);
      const { uploaded, random, ...columns } = shared;
      yield {
        id,
        created_at: uploaded,
        updated_at: uploaded,
        ...columns,
        ...fileOf(plan, id),
        ...this.families.of(id),
        ...countsOf(words),
        ...scoresOf(plan, id),
        fav_count: favoritesOf(plan, id),
        ...this.stateOf(id, random),
        ...this.timesOf(id),
      };
    }
  }

  /** Rows of `post_versions`: the first version of each post. */
  *versionRows(): Rows {
    const { plan } = this;
    for (let id = 1; id <= plan.posts; id += 1) {
      const { uploaded, uploader_id, media_file_id, tag_ids, rating, source } = this.shared(id, wordsOf(plan, id));
      const { parent_id } = this.families.of(id);
      yield {
        id,
        created_at: uploaded,
        updated_at: uploaded,
        post_id: id,
        version: 1,
        updater_id: uploader_id,
        tag_ids,
        added_tag_ids: tag_ids,
        rating,
        rating_changed: true,
        parent_id,
        parent_changed: parent_id !== null,
        source,
        source_changed: source !== "",
        media_file_id,
      };
    }
  }

  /** The common columns of a post and its version, and the random numbers for the other columns. */
  private shared(id: number, words: readonly Word[]) {
    const random = chanceOf(this.plan, "posts", id);
    return {
      random,
      uploaded: this.plan.calendar.text(this.plan.calendar.uploaded(id)),
      uploader_id: this.plan.crowd.one("upload", random),
      media_file_id: id,
      tag_ids: words.map((word) => word.id),
      rating: ratingOf(random.next()),
      ...sourceOf(id, random),
    };
  }

  private stateOf(id: number, random: Random) {
    const isDeleted = this.families.isDeleted(id);
    const isPending = !isDeleted && id / this.plan.posts > 1 - QUEUE && random.chance(0.3);
    return {
      approver_id: isPending || random.chance(0.5) ? null : this.plan.crowd.one("approve", random),
      is_deleted: isDeleted,
      is_pending: isPending,
      is_flagged: !isDeleted && !isPending && random.chance(FLAGGED),
      is_banned: random.chance(BANNED),
    };
  }

  private timesOf(id: number) {
    const text = (times: Int32Array): string | null => {
      const second = times[id] ?? -1;
      return second < 0 ? null : this.plan.calendar.text(second);
    };
    const { commented, bumped, noted } = this.times;
    return { last_commented_at: text(commented), last_comment_bumped_at: text(bumped), last_noted_at: text(noted) };
  }
}

const ratingOf = (chance: number): string => (chance < 0.6 ? "s" : chance < 0.85 ? "q" : "e");

function sourceOf(id: number, random: Random): { source: string; pixiv_id: number | null } {
  const kind = random.below(10);
  if (kind < 3) {
    const work = 10_000_000 + id * 7;
    return { source: `https://www.pixiv.net/artworks/${work}`, pixiv_id: work };
  }
  if (kind < 6) return { source: `https://gallery${random.below(50)}.example/works/${id}`, pixiv_id: null };
  return { source: kind < 7 ? `sketchbook, page ${id}` : "", pixiv_id: null };
}

const CATEGORY_COLUMNS = {
  0: "tag_count_general",
  1: "tag_count_artist",
  3: "tag_count_copyright",
  4: "tag_count_character",
  5: "tag_count_meta",
} as const;

function countsOf(words: readonly Word[]) {
  const counts = {
    tag_count: words.length,
    tag_count_general: 0,
    tag_count_artist: 0,
    tag_count_copyright: 0,
    tag_count_character: 0,
    tag_count_meta: 0,
  };
  for (const { category } of words) counts[CATEGORY_COLUMNS[category as keyof typeof CATEGORY_COLUMNS]] += 1;
  return counts;
}
