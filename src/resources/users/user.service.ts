/** Users: accounts, sign-up, listing, and the viewer's own profile. */
import { hashPassword } from "../../runtime/auth/password.js";
import { checkPassword } from "../../runtime/auth/password-rules.js";
import { Level } from "../../runtime/auth/levels.js";
import { isSignedIn, type Viewer } from "../../runtime/auth/viewer.js";
import type { RequestContext } from "../../context.js";
import { type Sql, sql } from "../../database/client.js";
import { failure, Problems } from "../../errors.js";
import { normalizeUserName } from "../../lib/names.js";
import type { Limiter } from "../../runtime/limits/limiter.js";
import { isSearchable } from "../../search/bounds.js";
import * as by from "../../search/filters.js";
import { conditionsOf, type Filter, type Page, type SearchOf } from "../../search/listing.js";
import type { PageRequest } from "../shared/paging.js";
import type { ServiceParts } from "../shared/service.js";
import { userRecords, type UserRecord } from "./user.records.js";
import { checkEmail, checkName, nameTaken } from "./user.rules.js";

export type { UserRecord };

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

const named = by.on(sql`lower(t.name)`, by.patternOf(normalizeUserName));

const filters = {
  id: by.ids,
  /** pattern with `*` */
  name: named,
  nameMatches: named,
  level: by.equals as Filter<number>,
  minLevel: (level: number) => sql`t.level >= ${level}`,
  maxLevel: (level: number) => sql`t.level <= ${level}`,
};
export type UserSearch = SearchOf<typeof filters> & { order?: UserOrder | null };

export interface NewUser {
  name: string;
  password: string;
  passwordConfirmation?: string | null;
  email?: string | null;
  level?: number;
  inviterId?: number;
}

const ORDERS = {
  name: sql`lower(t.name) ASC, t.id ASC`,
  post_upload_count: sql`t.post_upload_count DESC, t.id DESC`,
  note_count: sql`t.note_update_count DESC, t.id DESC`,
  post_update_count: sql`t.post_update_count DESC, t.id DESC`,
  date: sql`t.created_at DESC, t.id DESC`,
};

/** How many feedbacks of a category are about the user `u`. */
const feedbacks = (category: "positive" | "neutral" | "negative"): Sql =>
  sql`(SELECT count(*)::int FROM user_feedbacks WHERE user_id = u.id AND category = ${category} AND NOT is_deleted)`;

export interface UserServiceParts extends ServiceParts {
  limiter: Limiter;
}

export class UserService {
  constructor(private readonly parts: UserServiceParts) {}

  search(search: UserSearch, request: PageRequest): Promise<Page<UserRecord>> {
    const orderBy = search.order ? ORDERS[search.order] : undefined;
    const options = { where: conditionsOf(filters, search), orderBy };
    return userRecords.list(this.parts, options, request);
  }

  byIds(ids: readonly number[]): Promise<Map<number, UserRecord>> {
    return userRecords.byIds(this.parts.database.prepared, ids);
  }

  /** The user of this name, in any case and with blanks or underscores; or null. */
  async byName(name: string): Promise<UserRecord | null> {
    if (!isSearchable(name)) return null;
    return userRecords.find(this.parts.database, sql`lower(t.name) = ${normalizeUserName(name)}`);
  }

  /** Counts what the users did, all in one statement. */
  async activities(ids: readonly number[]): Promise<Map<number, UserActivity>> {
    const rows = await this.parts.database.query<UserActivity & { id: number }>(sql`SELECT u.id,
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
      FROM users u WHERE u.id = ANY(${[...ids]}::int[])`);
    return new Map(rows.map((row) => [row.id, row]));
  }

  /**
   * Signs a visitor up as a Member.
   * @throws BoardError 420 for a bad name or password, 421 for too many accounts from one address, 423 for a taken name
   */
  async signUp(context: RequestContext, input: NewUser): Promise<UserRecord & { passwordHash: string }> {
    await checkNewUser(input);
    if (await this.byName(input.name)) throw failure("name_taken");
    await this.parts.limiter.signUp(context.address);
    return this.create({ ...input, level: Level.Member });
  }

  /**
   * Creates an account of any level; who may do that is the caller's business.
   * @throws BoardError 420 for a bad name, password or address for mail, 423 for a taken name
   */
  async create(input: NewUser): Promise<UserRecord & { passwordHash: string }> {
    const { name, email } = await checkNewUser(input);
    const passwordHash = await hashPassword(
      input.password,
      this.parts.config.PASSWORD_SALT,
      this.parts.config.BCRYPT_COST,
    );
    try {
      return await this.parts.database.user.create({
        data: {
          name,
          passwordHash,
          email,
          level: input.level ?? Level.Member,
          inviterId: input.inviterId ?? null,
        },
      });
    } catch (error) {
      throw nameTaken(error);
    }
  }

  /** The viewer's own account, even while banned. @throws BoardError 403 for a visitor */
  async profile(viewer: Viewer): Promise<UserRecord> {
    if (!isSignedIn(viewer)) throw failure("login_required");
    const user = (await this.byIds([viewer.id])).get(viewer.id);
    if (!user) throw failure("not_found");
    return user;
  }
}

/** @returns what is stored of it */
async function checkNewUser(user: NewUser): Promise<{ name: string; email: string | null }> {
  const problems = new Problems();
  const name = checkName(problems, user.name);
  await checkPassword(problems, user);
  const email = checkEmail(problems, user.email);
  problems.throwIfAny();
  return { name, email };
}
