/** Posts as rows of the database: what is on them, who uploaded them, how they were received. */
import { createHash } from "node:crypto";
import { Random } from "./random.js";
import { type Cluster, type CommonWord, pick, type Vocabulary, type Word } from "./vocabulary.js";

/** A row of `posts`, and through it of `media_files` and `post_versions`, by the names of the columns. */
export type PostRow = ReturnType<PostMaker["make"]>;

export interface PostPlan {
  posts: number;
  seed: number;
  vocabulary: Vocabulary;
  /** ids of those who upload, the busiest first */
  uploaders: readonly number[];
  /** ids of those who approve */
  approvers: readonly number[];
}

/** When the last post was uploaded, and how long the board has lived by then. */
const LAST_UPLOAD = Date.UTC(2026, 0, 1);
const LIFE = 10 * 365 * 24 * 3600 * 1000;

/** Shares of posts. */
const CHILDREN = 0.07;
const DELETED = 0.05;
const FLAGGED = 0.002;
const BANNED = 0.002;
/** So many of the newest posts may still wait for approval. */
const QUEUE = 0.02;

/** A parent is at most so many posts older than its child. */
const FAMILY_REACH = 40;

/** Words of a post beside the common ones, its artist, series and characters: the median, and how far it varies. */
const DETAILS = { median: 22, spread: 0.4 };

export class PostMaker {
  /** posts with each word, by its id */
  readonly counts: Int32Array;
  /** posts by each uploader */
  readonly uploads = new Map<number, number>();
  private readonly random: Random;
  /** number of each post's parent, 0 without; decided beforehand, since a parent knows of its children */
  private readonly parents: Int32Array;
  private readonly deleted: Uint8Array;
  /** bit 0: has children, bit 1: has some that are not deleted */
  private readonly families: Uint8Array;

  constructor(private readonly plan: PostPlan) {
    this.random = new Random(plan.seed);
    this.counts = new Int32Array(plan.vocabulary.words.length + 1);
    this.parents = new Int32Array(plan.posts + 1);
    this.deleted = new Uint8Array(plan.posts + 1);
    this.families = new Uint8Array(plan.posts + 1);
    for (let id = 1; id <= plan.posts; id += 1) this.placeInFamily(id);
  }

  /** The next post; ids go up from 1 in the order of the calls. */
  make(id: number) {
    const { random, plan } = this;
    const age = id / plan.posts;
    const words = this.wordsOf(age);
    const createdAt = new Date(LAST_UPLOAD - LIFE * (1 - age)).toISOString();
    const uploader = pick(plan.uploaders, random, 3);
    this.uploads.set(uploader, (this.uploads.get(uploader) ?? 0) + 1);
    return {
      id,
      created_at: createdAt,
      updated_at: createdAt,
      uploader_id: uploader,
      ...fileOf(id, random, plan.seed),
      rating: ratingOf(random.next()),
      ...sourceOf(id, random),
      parent_id: this.parents[id] || null,
      has_children: (this.families[id] ?? 0) > 0,
      has_active_children: ((this.families[id] ?? 0) & 2) > 0,
      tag_ids: words.map((word) => word.id),
      ...countsOf(words),
      ...receptionOf(random),
      ...this.stateOf(id, age),
    };
  }

  private placeInFamily(id: number): void {
    const { random } = this;
    if (random.chance(DELETED)) this.deleted[id] = 1;
    if (!random.chance(CHILDREN)) return;
    const parent = id - 1 - random.below(FAMILY_REACH);
    if (parent < 1) return;
    this.parents[id] = parent;
    this.families[parent] = (this.families[parent] ?? 0) | (this.deleted[id] ? 1 : 3);
  }

  private stateOf(id: number, age: number) {
    const { random } = this;
    const isDeleted = this.deleted[id] === 1;
    const isPending = !isDeleted && age > 1 - QUEUE && random.chance(0.3);
    const approver = isPending || random.chance(0.5) ? null : pick(this.plan.approvers, random);
    return {
      approver_id: approver,
      is_deleted: isDeleted,
      is_pending: isPending,
      is_flagged: !isDeleted && !isPending && random.chance(FLAGGED),
      is_banned: random.chance(BANNED),
    };
  }

  /** The words of a post, in the order of their ids, each once. */
  private wordsOf(age: number): Word[] {
    const { random } = this;
    const { vocabulary } = this.plan;
    const words = new Set<Word>(commonWords(vocabulary.common, random));
    words.add(pick(vocabulary.artists, random, 30));
    const meta = random.below(4);
    for (let left = meta; left > 0; left -= 1) words.add(pick(vocabulary.meta, random, 2));
    const cluster = random.chance(0.85) ? clusterAt(vocabulary.clusters, age, random) : null;
    if (cluster) addOfCluster(words, cluster, random);
    for (let left = random.skewed(DETAILS.median, DETAILS.spread); left > 0; left -= 1) {
      words.add(
        cluster && random.chance(0.55) ? pick(cluster.themes, random, 4) : pick(vocabulary.general, random, 12),
      );
    }
    for (const word of words) this.counts[word.id] = (this.counts[word.id] ?? 0) + 1;
    return [...words].sort((a, b) => a.id - b.id);
  }
}

/** Each by its share; a word whose rival is there already stays away, and comes the more often otherwise. */
function commonWords(common: readonly CommonWord[], random: Random): CommonWord[] {
  const chosen: CommonWord[] = [];
  for (const word of common) {
    const share = word.rival ? word.share / (1 - word.rival.share) : word.share;
    const isTaken = word.rival !== null && chosen.includes(word.rival);
    if (random.chance(share) && !isTaken) chosen.push(word);
  }
  return chosen;
}

function clusterAt(clusters: readonly Cluster[], age: number, random: Random): Cluster | null {
  for (let tries = 0; tries < 4; tries += 1) {
    const cluster = pick(clusters, random, 3);
    if (cluster.from <= age && age < cluster.to) return cluster;
  }
  return null;
}

function addOfCluster(words: Set<Word>, cluster: Cluster, random: Random): void {
  words.add(cluster.copyright);
  for (let left = 1 + random.below(3); left > 0; left -= 1) words.add(pick(cluster.characters, random));
}

const FORMATS = ["jpg", "jpg", "jpg", "jpg", "jpg", "png", "png", "png", "webp", "gif", "mp4", "webm"] as const;
const SIDES = [600, 800, 900, 1000, 1200, 1500, 1920, 2480] as const;

function fileOf(id: number, random: Random, seed: number) {
  const format = FORMATS[random.below(FORMATS.length)] as string;
  const width = (SIDES[random.below(SIDES.length)] as number) + random.below(40);
  const height = Math.round(width * (0.6 + random.next()));
  return {
    media_file_id: id,
    md5: createHash("md5").update(`${seed}:${id}`).digest("hex"),
    file_ext: format,
    file_size: 1 + random.skewed((width * height) / 8, 0.6),
    image_width: width,
    image_height: height,
  };
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

function receptionOf(random: Random) {
  const favorites = random.skewed(5, 1.2);
  const up = Math.round(favorites * (0.4 + random.next())) + random.below(3);
  const down = random.chance(0.1) ? 1 + random.below(4) : 0;
  return { fav_count: favorites, up_score: up, down_score: down === 0 ? 0 : -down, score: up - down };
}
