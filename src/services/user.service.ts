/** Users: accounts, sign-up, listing, and the viewer's own profile. */
import { hashPassword } from "../auth/password.js";
import { Level } from "../auth/levels.js";
import { isSignedIn, type Viewer } from "../auth/viewer.js";
import type { Config } from "../config.js";
import type { RequestContext } from "../context.js";
import { Prisma, type PrismaClient, type Sql, sql } from "../database/client.js";
import { failure, Problems } from "../errors.js";
import { isStorable, lengthOf } from "../lib/text.js";
import { normalizeUserName } from "../lib/names.js";
import type { Limiter } from "../limits/limiter.js";
import { Filters, type Page } from "../search/listing.js";
import type { PageRequest } from "./paging.js";
import { ReadModel } from "./read-model.js";

export interface UserRecord {
  id: number;
  name: string;
  level: number;
  createdAt: Date;
  updatedAt: Date;
  inviterId: number | null;
  baseUploadLimit: number;
  postUploadCount: number;
  postUpdateCount: number;
  noteUpdateCount: number;
  favoriteCount: number;
  isBanned: boolean;
  isDeleted: boolean;
}

/** What the specification calls the user's profile: seen by nobody but the user. */
export interface OwnSettings {
  apiKey: string;
  email: string | null;
  lastLoggedInAt: Date | null;
  blacklistedTags: string;
  favoriteTags: string;
  commentThreshold: number;
  defaultImageSize: string;
  timeZone: string;
  perPage: number;
}

/** How much a user has done, beyond the counters kept in the row. */
export interface UserActivity {
  wikiPageVersionCount: number;
  artistVersionCount: number;
  artistCommentaryVersionCount: number;
  poolVersionCount: number;
  forumPostCount: number;
  commentCount: number;
  appealCount: number;
  /** null for viewers who may not know who flags */
  flagCount: number | null;
  positiveFeedbackCount: number;
  neutralFeedbackCount: number;
  negativeFeedbackCount: number;
}

export type UserOrder = "name" | "post_upload_count" | "note_count" | "post_update_count" | "date";

export interface UserSearch {
  id?: number[] | null;
  /** pattern with `*` */
  name?: string | null;
  nameMatches?: string | null;
  level?: number | null;
  minLevel?: number | null;
  maxLevel?: number | null;
  order?: UserOrder | null;
}

export interface NewUser {
  name: string;
  password: string;
  passwordConfirmation?: string | null;
  email?: string | null;
  level?: number;
  inviterId?: number;
}

const users = new ReadModel<UserRecord>(
  sql`t.id, t.name, t.level, t.created_at AS "createdAt", t.updated_at AS "updatedAt",
  t.inviter_id AS "inviterId", t.base_upload_limit AS "baseUploadLimit", t.post_upload_count AS "postUploadCount",
  t.post_update_count AS "postUpdateCount", t.note_update_count AS "noteUpdateCount",
  t.favorite_count AS "favoriteCount", t.is_banned AS "isBanned", t.is_deleted AS "isDeleted"`,
  sql`users AS t`,
);

const ORDERS = {
  name: sql`lower(t.name) ASC, t.id ASC`,
  post_upload_count: sql`t.post_upload_count DESC, t.id DESC`,
  note_count: sql`t.note_update_count DESC, t.id DESC`,
  post_update_count: sql`t.post_update_count DESC, t.id DESC`,
  date: sql`t.created_at DESC, t.id DESC`,
};

const NAME_MAX = 100;
/** the longest that mail can be sent to */
const EMAIL_MAX = 254;
const PASSWORD_MIN = 5;
const PASSWORD_MAX = 1000;
const RESERVED_NAMES = new Set(["anonymous", "any", "none", "new", "system"]);

/** How many feedbacks of a category are about the user `u`. */
const feedbacks = (category: "positive" | "neutral" | "negative"): Sql =>
  sql`(SELECT count(*)::int FROM user_feedbacks WHERE user_id = u.id AND category = ${category} AND NOT is_deleted)`;

export class UserService {
  constructor(
    private readonly prisma: PrismaClient,
    private readonly config: Config,
    private readonly limiter: Limiter,
  ) {}

  search(search: UserSearch, request: PageRequest): Promise<Page<UserRecord>> {
    const filters = new Filters()
      .ids(sql`t.id`, search.id)
      .pattern(sql`lower(t.name)`, search.name ? normalizeUserName(search.name) : null)
      .pattern(sql`lower(t.name)`, search.nameMatches ? normalizeUserName(search.nameMatches) : null)
      .equals(sql`t.level`, search.level);
    if (typeof search.minLevel === "number") filters.add(sql`t.level >= ${search.minLevel}`);
    if (typeof search.maxLevel === "number") filters.add(sql`t.level <= ${search.maxLevel}`);
    const orderBy = search.order ? ORDERS[search.order] : undefined;
    const options = { where: filters.conditions, orderBy };
    return users.list(this.prisma, options, request, this.config);
  }

  byIds(ids: readonly number[]): Promise<Map<number, UserRecord>> {
    return users.byIds(this.prisma, ids);
  }

  /** The user of this name, in any case and with blanks or underscores; or null. */
  async byName(name: string): Promise<UserRecord | null> {
    if (!isStorable(name)) return null;
    return users.find(this.prisma, sql`lower(t.name) = ${normalizeUserName(name)}`);
  }

  /** The viewer's own settings and API key; null for everybody else's record. */
  async ownSettings(viewer: Viewer, userId: number): Promise<OwnSettings | null> {
    if (viewer.id !== userId) return null;
    // not findUnique: Prisma would join it with that of a request which reads from another server
    const user = await this.prisma.user.findFirst({ where: { id: userId } });
    return user && { ...user, apiKey: user.passwordHash };
  }

  /** Counts what the users did, all in one statement. */
  async activities(ids: readonly number[]): Promise<Map<number, UserActivity>> {
    const rows = await this.prisma.$queryRaw<(UserActivity & { id: number })[]>`SELECT u.id,
      (SELECT count(*)::int FROM wiki_page_versions WHERE updater_id = u.id) AS "wikiPageVersionCount",
      (SELECT count(*)::int FROM artist_versions WHERE updater_id = u.id) AS "artistVersionCount",
      (SELECT count(*)::int FROM artist_commentary_versions WHERE updater_id = u.id) AS "artistCommentaryVersionCount",
      (SELECT count(*)::int FROM pool_versions WHERE updater_id = u.id) AS "poolVersionCount",
      (SELECT count(*)::int FROM forum_posts f JOIN forum_topics t ON t.id = f.topic_id
        WHERE f.creator_id = u.id AND t.min_level = 0) AS "forumPostCount",
      (SELECT count(*)::int FROM comments WHERE creator_id = u.id) AS "commentCount",
      (SELECT count(*)::int FROM post_appeals WHERE creator_id = u.id) AS "appealCount",
      (SELECT count(*)::int FROM post_flags WHERE creator_id = u.id) AS "flagCount",
      ${feedbacks("positive")} AS "positiveFeedbackCount",
      ${feedbacks("neutral")} AS "neutralFeedbackCount",
      ${feedbacks("negative")} AS "negativeFeedbackCount"
      FROM users u WHERE u.id = ANY(${[...ids]}::int[])`;
    return new Map(rows.map((row) => [row.id, row]));
  }

  /**
   * Signs a visitor up as a Member.
   * @throws BoardError 420 for a bad name or password, 421 for too many accounts from one address, 423 for a taken name
   */
  async signUp(context: RequestContext, input: NewUser): Promise<UserRecord & { passwordHash: string }> {
    checkNewUser(input);
    if (await this.byName(input.name)) throw failure("name_taken");
    await this.limiter.signUp(context.address);
    return this.create({ ...input, level: Level.Member });
  }

  /**
   * Creates an account of any level; who may do that is the caller's business.
   * @throws BoardError 420 for a bad name, password or address for mail, 423 for a taken name
   */
  async create(input: NewUser): Promise<UserRecord & { passwordHash: string }> {
    checkNewUser(input);
    const passwordHash = await hashPassword(input.password, this.config.PASSWORD_SALT, this.config.BCRYPT_COST);
    try {
      return await this.prisma.user.create({
        data: {
          name: input.name.trim(),
          passwordHash,
          email: input.email?.trim() || null,
          level: input.level ?? Level.Member,
          inviterId: input.inviterId ?? null,
        },
      });
    } catch (error) {
      throw takenBy(error);
    }
  }

  /**
   * Changes a user's level; for the command line.
   * @throws BoardError 404 for an unknown name
   */
  async setLevel(name: string, level: number): Promise<UserRecord> {
    const user = await this.byName(name);
    if (!user) throw failure("not_found");
    return this.prisma.user.update({ where: { id: user.id }, data: { level } });
  }

  /** A ban does not hide one's own account. @throws BoardError 403 for a visitor */
  async profile(viewer: Viewer): Promise<UserRecord> {
    if (!isSignedIn(viewer)) throw failure("login_required");
    const user = (await this.byIds([viewer.id])).get(viewer.id);
    if (!user) throw failure("not_found");
    return user;
  }
}

/** The name that another account was given meanwhile. */
function takenBy(error: unknown): unknown {
  if (!(error instanceof Prisma.PrismaClientKnownRequestError) || error.code !== "P2002") return error;
  return failure("name_taken", {}, { cause: error });
}

/** Names: 2 to 100 characters without blanks, colons and control characters, no underscore at either end. */
function checkNewUser({ name, password, passwordConfirmation, email }: NewUser): void {
  const problems = new Problems();
  const trimmed = name.trim();
  const length = lengthOf(trimmed);
  if (length < 2) problems.add("name", "too_short", { limit: 2 });
  if (length > NAME_MAX) problems.add("name", "too_long", { limit: NAME_MAX });
  if (!isStorable(trimmed) || /[\s:,*~\p{C}]|^[_-]|_$/u.test(trimmed)) problems.add("name", "invalid");
  if (RESERVED_NAMES.has(trimmed.toLowerCase())) problems.add("name", "reserved");
  if (lengthOf(password) < PASSWORD_MIN) problems.add("password", "too_short", { limit: PASSWORD_MIN });
  if (lengthOf(password) > PASSWORD_MAX) problems.add("password", "too_long", { limit: PASSWORD_MAX });
  if (typeof passwordConfirmation === "string" && passwordConfirmation !== password) {
    problems.add("password_confirmation", "mismatch");
  }
  if (email && email.length > EMAIL_MAX) problems.add("email", "too_long", { limit: EMAIL_MAX });
  else if (email?.trim() && !/^[^\s@\p{C}]+@[^\s@\p{C}]+$/u.test(email.trim())) problems.add("email", "invalid");
  problems.throwIfAny();
}
