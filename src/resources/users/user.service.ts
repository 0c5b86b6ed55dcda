/** Users: accounts, sign-up, listing, and the viewer's own profile. */
import { checkPassword, hashPassword } from "../../runtime/auth/password.js";
import { Level } from "../../runtime/auth/levels.js";
import type { Viewer } from "../../runtime/auth/viewer.js";
import type { RequestContext } from "../../context.js";
import { type Sql, sql } from "../../database/client.js";
import { nameTaken } from "../../database/faults.js";
import { failure, ValidationErrors } from "../../errors.js";
import { isUserName } from "../../database/user-name.js";
import { normalizeUserName } from "../../lib/names.js";
import type { Limiter } from "../../runtime/limits/limiter.js";
import { isSearchable } from "../../search/bounds.js";
import * as by from "../../search/filters.js";
import { conditionsOf, type Filter, type Page, type SearchOf } from "../../search/listing.js";
import * as column from "../shared/columns.js";
import type { PageRequest } from "../shared/paging.js";
import { requireAccount } from "../shared/policy.js";
import { ReadModel } from "../shared/read-model.js";
import type { ServiceParts } from "../shared/service.js";
import { userRecords, type UserRecord } from "./user.records.js";
import { checkEmail, checkName } from "./user.rules.js";

const named = by.on(sql`lower(t.name)`, by.patternOf(normalizeUserName));

const ORDERS = {
  name: sql`lower(t.name) ASC, t.id ASC`,
  post_upload_count: sql`t.post_upload_count DESC`,
  note_count: sql`t.note_update_count DESC`,
  post_update_count: sql`t.post_update_count DESC`,
  date: sql`t.created_at DESC`,
};

const filters = {
  id: by.ids,
  /** pattern with `*` */
  name: named,
  nameMatches: named,
  level: by.equals as Filter<number>,
  minLevel: (level: number) => sql`t.level >= ${level}`,
  maxLevel: (level: number) => sql`t.level <= ${level}`,
};
export type UserSearch = SearchOf<typeof filters> & { order?: keyof typeof ORDERS | null };

export interface NewUser {
  name: string;
  password: string;
  passwordConfirmation?: string | null;
  email?: string | null;
  level?: number;
}

const counted = (rows: Sql): column.Column<number> => column.typed(sql`int`, sql`(SELECT count(*)::int FROM ${rows})`);
const feedbacks = (category: "positive" | "neutral" | "negative"): column.Column<number> =>
  counted(sql`user_feedbacks WHERE user_id = t.id AND category = ${category} AND NOT is_deleted`);

/** A user's activity, in addition to the counters of the row. */
const activity = {
  id: column.integer,
  wikiPageVersionCount: counted(sql`wiki_page_versions WHERE updater_id = t.id`),
  artistVersionCount: counted(sql`artist_versions WHERE updater_id = t.id`),
  artistCommentaryVersionCount: counted(sql`artist_commentary_versions WHERE updater_id = t.id`),
  poolVersionCount: counted(sql`pool_versions WHERE updater_id = t.id`),
  forumPostCount: counted(sql`forum_posts f JOIN forum_topics topic ON topic.id = f.topic_id
    WHERE f.creator_id = t.id AND topic.min_level = 0`),
  commentCount: counted(sql`comments WHERE creator_id = t.id`),
  appealCount: counted(sql`post_appeals WHERE creator_id = t.id`),
  /** only for viewers who may see flaggers */
  flagCount: counted(sql`post_flags WHERE creator_id = t.id`),
  positiveFeedbackCount: feedbacks("positive"),
  neutralFeedbackCount: feedbacks("neutral"),
  negativeFeedbackCount: feedbacks("negative"),
};
export type UserActivity = column.RecordOf<typeof activity>;

const activities = new ReadModel(activity, sql`users AS t`);

export class UserService {
  constructor(private readonly parts: ServiceParts & { limiter: Limiter }) {}

  search(search: UserSearch, request: PageRequest): Promise<Page<UserRecord>> {
    const orderBy = search.order ? ORDERS[search.order] : undefined;
    const options = { where: conditionsOf(filters, search), orderBy };
    return userRecords.list(this.parts, options, request);
  }

  byIds(ids: readonly number[]): Promise<Map<number, UserRecord>> {
    return userRecords.byIds(this.parts.database.byKeys(ids.length), ids);
  }

  /** The user with this name, ignoring case, with spaces or underscores; or null. */
  async byName(name: string): Promise<UserRecord | null> {
    if (!isSearchable(name)) return null;
    return userRecords.find(this.parts.database, isUserName(sql`t.name`, name));
  }

  /** The users' activity, counted in one statement. */
  activities(ids: readonly number[]): Promise<Map<number, UserActivity>> {
    return activities.byIds(this.parts.database, ids);
  }

  /**
   * Signs a visitor up as a Member.
   * @throws BoardError 420 for an invalid name or password, 421 for too many accounts from one address, 423 for a taken name
   */
  async signUp(context: RequestContext, input: NewUser): Promise<UserRecord & { passwordHash: string }> {
    await checkNewUser(input);
    if (await this.byName(input.name)) throw failure("name_taken", { parameter: "name" });
    return this.parts.limiter.signUp(context.address, () =>
      this.create({ ...input, level: Level.Member }, context.address),
    );
  }

  /**
   * Creates an account of any level; rights are checked by the caller.
   * @param address of the client; none of a command
   * @throws BoardError 420 for an invalid name, password or mail address, 423 for a taken name
   */
  async create(input: NewUser, address?: string): Promise<UserRecord & { passwordHash: string }> {
    const { name, email } = await checkNewUser(input);
    const passwordHash = await hashPassword(input.password, this.parts.config, address);
    const data = { name, passwordHash, email, level: input.level ?? Level.Member };
    return this.parts.database.user.create({ data }).catch(nameTaken);
  }

  /** The viewer's own account, even while banned. @throws BoardError 403 for a visitor */
  async profile(viewer: Viewer): Promise<UserRecord> {
    return userRecords.get(this.parts.database.byKeys(1), requireAccount(viewer).id);
  }
}

/** @returns what is stored of it */
async function checkNewUser(user: NewUser): Promise<{ name: string; email: string | null }> {
  const problems = new ValidationErrors();
  const name = checkName(problems, user.name);
  await checkPassword(problems, user);
  const email = checkEmail(problems, user.email);
  problems.throwIfAny();
  return { name, email };
}
