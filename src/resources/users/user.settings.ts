/** The settings of an account, visible to and changed by its user only. */
import type { Viewer } from "../../runtime/auth/viewer.js";
import type { Config } from "../../config.js";
import type { RequestContext } from "../../context.js";
import type { Prisma } from "../../database/client.js";
import { lockRow } from "../../database/lock.js";
import { failure, ValidationErrors } from "../../errors.js";
import { isStorable, lengthOf } from "../../lib/text.js";
import { requireOwnAccount } from "../accounts/account.changes.js";
import { type EditOf, given } from "../shared/columns.js";
import { userRecords, type UserRecord } from "./user.records.js";
import { checkEmail } from "./user.rules.js";
import type { ServiceParts } from "../shared/service.js";

/** Users' own settings; most of them are stored for clients, which use them to show posts, comments and times. */
export interface Settings {
  /** searches whose posts are hidden, one per line */
  blacklistedTags: string;
  favoriteTags: string;
  commentThreshold: number;
  /** `large` or `original` */
  defaultImageSize: string;
  /** as in the tz database: `Europe/Berlin` */
  timeZone: string;
  perPage: number;
  email: string | null;
  /** whether the favorites are hidden from others */
  enablePrivateFavorites: boolean;
}

/** The specification's profile of a user, visible only to the user. */
export interface OwnSettings extends Settings {
  apiKey: string;
  lastLoggedInAt: Date | null;
}

/** Absent and null fields stay unchanged; only the mail address is removed, by a blank text. */
export type SettingsChange = EditOf<Settings>;

const TAGS_MAX = 20_000;
/** as in the original */
const THRESHOLD_RANGE = [-100, 5] as const;
/** the maximum of the column */
const PER_PAGE_MAX = 100;
const IMAGE_SIZES = ["large", "original"];

export class UserSettingsService {
  constructor(private readonly parts: ServiceParts) {}

  /** The viewer's own settings and API key; null for other users' records. */
  async of(viewer: Viewer, userId: number): Promise<OwnSettings | null> {
    if (viewer.id !== userId) return null;
    // not findUnique: Prisma would batch it with that of a request which reads from another server
    const user = await this.parts.database.user.findFirst({ where: { id: userId } });
    return user && { ...user, apiKey: user.passwordHash };
  }

  /**
   * Changes the viewer's settings.
   * @param userId the account; by default the viewer's, the only one allowed
   * @throws BoardError 403 (also for an account that is closed meanwhile), 404 for an unknown account, 420 with all errors
   */
  async update(context: RequestContext, change: SettingsChange, userId?: number | null): Promise<UserRecord> {
    const { database, config, transact } = this.parts;
    const viewer = await requireOwnAccount(database, context.viewer, userId);
    const data = { ...checked(change, config), updatedAt: new Date() };
    return transact(async (db) => {
      await lockRow(db, "users", viewer.id);
      const { count } = await db.user.updateMany({ where: { id: viewer.id, isDeleted: false }, data });
      if (count === 0) throw failure("authentication_failed"); // it was closed meanwhile
      return userRecords.get(db, viewer.id);
    });
  }
}

/** @returns what is stored of a change. @throws BoardError 420 */
function checked(change: SettingsChange, { MAX_POSTS_PER_PAGE }: Config): Prisma.UserUpdateInput {
  const problems = new ValidationErrors();
  const { blacklistedTags, favoriteTags, commentThreshold, defaultImageSize, timeZone, perPage } = change;
  checkTags(problems, "blacklisted_tags", blacklistedTags);
  checkTags(problems, "favorite_tags", favoriteTags);
  checkRange(problems, "comment_threshold", commentThreshold, THRESHOLD_RANGE);
  checkRange(problems, "per_page", perPage, [1, Math.min(MAX_POSTS_PER_PAGE, PER_PAGE_MAX)]);
  const isSize = typeof defaultImageSize !== "string" || IMAGE_SIZES.includes(defaultImageSize);
  if (!isSize) problems.add("default_image_size", "invalid");
  if (typeof timeZone === "string" && !isTimeZone(timeZone)) problems.add("time_zone", "invalid");
  const email = typeof change.email === "string" ? checkEmail(problems, change.email) : undefined;
  problems.throwIfAny();
  return { ...given(change), email };
}

function checkTags(problems: ValidationErrors, field: string, tags: string | null | undefined): void {
  if (typeof tags !== "string") return;
  if (lengthOf(tags) > TAGS_MAX) problems.add(field, "too_long", { limit: TAGS_MAX });
  if (!isStorable(tags)) problems.add(field, "invalid");
}

function checkRange(
  problems: ValidationErrors,
  field: string,
  number: number | null | undefined,
  [least, most]: readonly [number, number],
): void {
  if (typeof number === "number" && (number < least || number > most)) {
    problems.add(field, "outside_range", { least, most });
  }
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
