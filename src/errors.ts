/**
 * The one table of failures. Every refusal that a caller can meet is a row here: its code (which GraphQL shows in
 * `extensions.code`), its HTTP status (the specification's "Errors" table) and its reason, a sentence out of a closed list.
 * Braces in a reason are filled from the parameters given to `failure`.
 */

export const STATUS = {
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  INVALID_RECORD: 420,
  THROTTLED: 421,
  LOCKED: 422,
  ALREADY_EXISTS: 423,
  INVALID_PARAMETERS: 424,
  INTERNAL: 500,
  UNAVAILABLE: 503,
} as const;

export type FailureCode = keyof typeof STATUS;

interface FailureRow {
  code: FailureCode;
  reason: string;
}

const rows = {
  // 403
  access_denied: { code: "FORBIDDEN", reason: "access denied" },
  authentication_failed: { code: "FORBIDDEN", reason: "authentication failed" },
  login_required: { code: "FORBIDDEN", reason: "login required" },
  login_before_file: {
    code: "FORBIDDEN",
    reason: "login required; in a multipart body the credentials come before the file",
  },
  banned: { code: "FORBIDDEN", reason: "your account is banned" },
  recovery_failed: { code: "FORBIDDEN", reason: "the recovery token is wrong, was used before or has expired" },
  cross_site: { code: "FORBIDDEN", reason: "cookie writes need the Origin of this site or an X-CSRF-Token header" },
  preflight_required: {
    code: "FORBIDDEN",
    reason: "a request with this Content-Type, or without one, needs an Apollo-Require-Preflight header",
  },
  // 404
  not_found: { code: "NOT_FOUND", reason: "not found" },
  // 420
  invalid_record: { code: "INVALID_RECORD", reason: "{messages}" },
  // 421
  hourly_limit: { code: "THROTTLED", reason: "hourly limit of {limit} requests exceeded" },
  login_attempts: { code: "THROTTLED", reason: "too many failed logins; try again later" },
  address_limit: { code: "THROTTLED", reason: "hourly limit of {limit} requests from this address exceeded" },
  action_limit: { code: "THROTTLED", reason: "hourly limit of {limit} {actions} exceeded" },
  action_address_limit: {
    code: "THROTTLED",
    reason: "hourly limit of {limit} {actions} by new accounts at this address exceeded",
  },
  sign_up_limit: { code: "THROTTLED", reason: "too many accounts created from this address; try again later" },
  uploads_in_flight: { code: "THROTTLED", reason: "too many bytes of uploads are on their way; try again later" },
  upload_limit: { code: "THROTTLED", reason: "daily limit of {limit} pending uploads exceeded" },
  failed_upload_limit: { code: "THROTTLED", reason: "hourly limit of {limit} failed uploads exceeded" },
  flag_limit: { code: "THROTTLED", reason: "daily limit of {limit} flags exceeded" },
  appeal_limit: { code: "THROTTLED", reason: "daily limit of {limit} appeals exceeded" },
  comment_limit: { code: "THROTTLED", reason: "hourly limit of {limit} comments exceeded" },
  // 422
  rating_locked: { code: "LOCKED", reason: "rating is locked" },
  note_locked: { code: "LOCKED", reason: "post is note-locked" },
  status_locked: { code: "LOCKED", reason: "post is status-locked" },
  page_locked: { code: "LOCKED", reason: "wiki page is locked" },
  topic_locked: { code: "LOCKED", reason: "topic is locked" },
  last_admin: { code: "LOCKED", reason: "the account of the last Admin can't be closed" },
  // 423
  duplicate: { code: "ALREADY_EXISTS", reason: "duplicate" },
  already_voted: { code: "ALREADY_EXISTS", reason: "already voted" },
  already_flagged: { code: "ALREADY_EXISTS", reason: "already flagged" },
  already_appealed: { code: "ALREADY_EXISTS", reason: "already appealed" },
  already_approved: { code: "ALREADY_EXISTS", reason: "already approved by you" },
  already_banned: { code: "ALREADY_EXISTS", reason: "user is already banned" },
  name_taken: { code: "ALREADY_EXISTS", reason: "name is already taken" },
  already_exists: { code: "ALREADY_EXISTS", reason: "already exists" },
  // 424
  missing_parameter: { code: "INVALID_PARAMETERS", reason: "{parameter} is required" },
  invalid_parameter: { code: "INVALID_PARAMETERS", reason: "{parameter} is invalid" },
  invalid_choice: { code: "INVALID_PARAMETERS", reason: "{parameter} must be one of {choices}" },
  too_many_parameters: { code: "INVALID_PARAMETERS", reason: "too many or too deeply nested parameters" },
  malformed_body: { code: "INVALID_PARAMETERS", reason: "the request body is malformed" },
  body_too_large: { code: "INVALID_PARAMETERS", reason: "the request body is larger than {limit} bytes" },
  page_too_deep: {
    code: "INVALID_PARAMETERS",
    reason: "page numbers end at {limit}; use page=b<id> to go further back",
  },
  too_many_tags: { code: "INVALID_PARAMETERS", reason: "a search takes at most {limit} tags" },
  too_many_groups: { code: "INVALID_PARAMETERS", reason: "a search takes at most {limit} groups within one another" },
  search_too_long: { code: "INVALID_PARAMETERS", reason: "a text to search for takes at most {limit} bytes" },
  too_many_wildcards: { code: "INVALID_PARAMETERS", reason: "a text to search for takes at most {limit} asterisks" },
  too_many_values: { code: "INVALID_PARAMETERS", reason: "{parameter} takes at most {limit} values" },
  file_or_source_required: { code: "INVALID_PARAMETERS", reason: "upload[file] or upload[source] is required" },
  query_too_costly: { code: "INVALID_PARAMETERS", reason: "the query is too {quality}" },
  answer_too_large: {
    code: "INVALID_PARAMETERS",
    reason: "the answer is larger than {limit} bytes; ask for less at once",
  },
  invalid_query: { code: "INVALID_PARAMETERS", reason: "{message}" },
  // 500, 503
  internal: { code: "INTERNAL", reason: "internal server error" },
  overloaded: { code: "UNAVAILABLE", reason: "the server cannot handle the request now; try again later" },
  storage_away: { code: "UNAVAILABLE", reason: "the file storage does not answer; try again later" },
  statement_timeout: { code: "UNAVAILABLE", reason: "the search took too long; try a narrower one" },
} as const satisfies Record<string, FailureRow>;

export const FAILURES: Record<FailureKey, FailureRow> = rows;
export type FailureKey = keyof typeof rows;

/** What is wrong with which field of a record that could not be saved: the closed list of validation messages (420). */
export const PROBLEMS = {
  blank: "can't be blank",
  invalid: "is invalid",
  too_long: "is too long (at most {limit} characters)",
  too_short: "is too short (at least {limit} characters)",
  too_common: "is one of the most common passwords",
  too_many: "has more than {limit} entries",
  taken: "is already taken",
  reserved: "is a reserved word",
  metatag: "begins with the meta-tag {metatag}",
  parenthesis: "begins with a parenthesis",
  too_many_tags: "has more than {limit} tags",
  too_many_posts: "has more than {limit} posts",
  unknown_posts: "names posts that are not there: {ids}",
  does_not_exist: "does not exist",
  not_pending: "is not pending",
  same_as_consequent: "must not be the consequent itself",
  is_aliased: "is aliased to another tag",
  implies_antecedent: "implies the antecedent already",
  above_own_level: "is above your own level",
  own_comment: "can't be up on a comment of your own",
  own_parent: "can't be the post itself",
  same_post: "is the same post",
  no_notes: "has no notes",
  no_parent: "has no parent",
  is_active: "is active",
  not_appealable: "is neither deleted nor flagged",
  is_deleted: "is deleted",
  not_deleted: "is not deleted",
  is_banned: "is banned",
  not_banned: "is not banned",
  cycle: "would make the post its own ancestor",
  outside_range: "must be between {least} and {most}",
  outside_image: "must lie within the picture",
  mismatch: "does not match",
  unsupported_file: "is not a supported file type (jpg, png, gif, webp, avif, mp4, webm)",
  no_video_support: "is a video, and this server has no ffmpeg and ffprobe to read it with",
  empty_file: "is empty",
  corrupt_file: "is damaged or incomplete",
  too_many_pixels: "has more than {limit} pixels",
  too_much_memory: "takes more memory to decode than the server allows ({limit} bytes)",
  too_slow: "takes too long to decode",
  too_long_video: "is longer than {limit} seconds",
  file_too_large: "is larger than {limit} bytes",
  md5_mismatch: "md5 mismatch",
  source_address: "leads to an address that is not public",
  source_scheme: "is not an http or https URL",
  source_failed: "could not be downloaded",
  source_status: "could not be downloaded (the site answered {status})",
  source_timeout: "could not be downloaded in time",
} as const;
export type ProblemKey = keyof typeof PROBLEMS;

export interface FailureDetails {
  /** field -> messages, for 420 and 424 */
  fields?: Record<string, string[]>;
  /** further facts for the caller, such as `post_id` and `location` of a duplicate */
  extra?: Record<string, string | number>;
  /** seconds until the caller may try again */
  retryAfter?: number;
  cause?: unknown;
}

/** A refusal out of the table. Everything thrown on purpose is one of these; anything else is a fault (500). */
export class BoardError extends Error {
  override name = "BoardError";
  readonly code: FailureCode;
  readonly status: number;
  readonly fields: Record<string, string[]> | undefined;
  readonly extra: Record<string, string | number>;
  readonly retryAfter: number | undefined;

  constructor(
    readonly key: FailureKey,
    readonly reason: string,
    details: FailureDetails = {},
  ) {
    super(reason, { cause: details.cause });
    this.code = FAILURES[key].code;
    this.status = STATUS[this.code];
    this.fields = details.fields;
    this.extra = details.extra ?? {};
    this.retryAfter = details.retryAfter;
  }
}

type Params = Record<string, string | number>;

const fill = (template: string, params: Params): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? ""));

/** Builds the failure of one row; `throw failure("not_found")`. A parameter that it is about is its field. */
export function failure(key: FailureKey, params: Params = {}, details: FailureDetails = {}): BoardError {
  return new BoardError(key, fill(FAILURES[key].reason, params), { ...faultyParameter(key, params), ...details });
}

const PARAMETER = "{parameter} ";

/** What is wrong with the parameter that a reason begins with. */
function faultyParameter(key: FailureKey, params: Params): FailureDetails {
  const { reason } = FAILURES[key];
  if (!reason.startsWith(PARAMETER) || params.parameter === undefined) return {};
  return { fields: { [params.parameter]: [fill(reason.slice(PARAMETER.length), params)] } };
}

/** Collects what is wrong with a record, so that the caller learns all of it at once. */
export class Problems {
  readonly fields: Record<string, string[]> = {};

  add(field: string, problem: ProblemKey, params: Params = {}): this {
    (this.fields[field] ??= []).push(fill(PROBLEMS[problem], params));
    return this;
  }

  get any(): boolean {
    return Object.keys(this.fields).length > 0;
  }

  /** The 420 that says everything collected, messages joined by a comma. */
  toError(details: FailureDetails = {}): BoardError {
    const messages = Object.entries(this.fields).flatMap(([field, list]) => list.map((text) => `${field} ${text}`));
    return failure("invalid_record", { messages: messages.join(", ") }, { ...details, fields: this.fields });
  }

  /** @throws BoardError 420 when anything was collected */
  throwIfAny(): void {
    if (this.any) throw this.toError();
  }
}

/** One problem with one field, as the 420 to throw. */
export const invalid = (field: string, problem: ProblemKey, params: Params = {}): BoardError =>
  new Problems().add(field, problem, params).toError();

/** @throws BoardError 424 for a required text that is blank, which is as good as none */
export function requireText(parameter: string, text: string): void {
  if (text.trim() === "") throw failure("missing_parameter", { parameter });
}

/** The closed list of all reasons, for the documentation. */
export const allReasons = (): FailureRow[] => Object.values(FAILURES);
