/**
 * The table of failures. Every error that clients can get is a row: its code (`extensions.code` in GraphQL), its HTTP
 * status and its reason, a sentence from a closed list.
 * Placeholders in braces are replaced by the parameters of `failure`.
 */
import { isBlank } from "./lib/text.js";

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

/** The specification's names of statuses for which HTTP has others or none. */
export const STATUS_NAMES: Readonly<Record<number, string>> = {
  [STATUS.INVALID_RECORD]: "Invalid Record",
  [STATUS.THROTTLED]: "User Throttled",
  [STATUS.LOCKED]: "Locked",
  [STATUS.ALREADY_EXISTS]: "Already Exists",
  [STATUS.INVALID_PARAMETERS]: "Invalid Parameters",
};

/** The reasons by their names, under the code of each. */
const REASONS = {
  FORBIDDEN: {
    access_denied: "access denied",
    authentication_failed: "authentication failed",
    login_required: "login required",
    login_before_file: "login required; in a multipart body the credentials come before the file",
    banned: "your account is banned",
    recovery_failed: "the recovery token is wrong, was used before or has expired",
    cross_site: "cookie writes need the Origin of this site or an X-CSRF-Token header",
    preflight_required: "a request with this Content-Type, or without one, needs an Apollo-Require-Preflight header",
  },
  NOT_FOUND: {
    not_found: "not found",
  },
  INVALID_RECORD: {
    invalid_record: "{messages}",
  },
  THROTTLED: {
    hourly_limit: "hourly limit of {limit} requests exceeded",
    login_attempts: "too many failed logins; try again later",
    address_limit: "hourly limit of {limit} requests from this address exceeded",
    action_limit: "hourly limit of {limit} {actions} exceeded",
    action_address_limit: "hourly limit of {limit} {actions} by new accounts at this address exceeded",
    sign_up_limit: "too many accounts created from this address; try again later",
    uploads_in_flight: "too many bytes of uploads in progress; try again later",
    upload_limit: "daily limit of {limit} pending uploads exceeded",
    failed_upload_limit: "hourly limit of {limit} failed uploads exceeded",
    flag_limit: "daily limit of {limit} flags exceeded",
    appeal_limit: "daily limit of {limit} appeals exceeded",
    comment_limit: "hourly limit of {limit} comments exceeded",
  },
  LOCKED: {
    rating_locked: "rating is locked",
    note_locked: "post is note-locked",
    status_locked: "post is status-locked",
    page_locked: "wiki page is locked",
    topic_locked: "topic is locked",
    last_admin: "the account of the last Admin can't be closed",
  },
  ALREADY_EXISTS: {
    duplicate: "duplicate",
    already_voted: "already voted",
    already_flagged: "already flagged",
    already_appealed: "already appealed",
    already_approved: "already approved by you",
    already_banned: "{parameter} is already banned",
    name_taken: "{parameter} is already taken",
    already_exists: "already exists",
  },
  INVALID_PARAMETERS: {
    missing_parameter: "{parameter} is required",
    invalid_parameter: "{parameter} is invalid",
    number_outside_range: "{parameter} must be between {least} and {most}",
    invalid_choice: "{parameter} must be one of {choices}",
    too_many_parameters: "too many or too deeply nested parameters",
    too_many_files: "a request may contain one file only",
    malformed_body: "the request body is malformed",
    unsupported_body: "the request body is neither a form nor JSON",
    body_too_large: "the request body is larger than {limit} bytes",
    page_too_deep: "{parameter} must be at most {limit}; use page=b<id> to go further back",
    too_many_tags: "a search may have at most {limit} terms",
    too_many_groups: "a search can nest at most {limit} groups",
    head_too_long: "the URL and the headers of a request may have at most {limit} bytes",
    invalid_url: "the URL is invalid; characters other than ASCII have to be percent-encoded",
    search_too_long: "a text to search for may have at most {limit} bytes",
    too_many_wildcards: "a text to search for may have at most {limit} asterisks",
    too_many_values: "{parameter} may have at most {limit} values",
    either_required: "{parameter} or {other} is required",
    query_too_costly: "the query is too {quality}",
    response_too_large: "the response is larger than {limit} bytes; request less at once",
    invalid_query: "{message}",
  },
  INTERNAL: {
    internal: "internal server error",
  },
  UNAVAILABLE: {
    overloaded: "the server cannot handle the request now; try again later",
    storage_unavailable: "the file storage does not respond; try again later",
    statement_timeout: "the request took too long; try a narrower search, or change less at once",
  },
} as const satisfies Record<FailureCode, Record<string, string>>;

type Reasons = typeof REASONS;
export type FailureKey = { [Code in FailureCode]: keyof Reasons[Code] }[FailureCode];

interface FailureRow {
  code: FailureCode;
  reason: string;
}

export const FAILURES = Object.fromEntries(
  Object.entries(REASONS).flatMap(([code, reasons]) =>
    Object.entries(reasons).map(([key, reason]) => [key, { code, reason }]),
  ),
) as Record<FailureKey, FailureRow>;

/** The closed list of validation messages (420). */
export const PROBLEMS = {
  blank: "can't be blank",
  invalid: "is invalid",
  one_of_many: 'has "{value}", which {problem}',
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
  too_many_notes: "has more than {limit} notes",
  unknown_posts: "contains posts that do not exist: {ids}",
  does_not_exist: "does not exist",
  not_pending: "is not pending",
  same_as_consequent: "must not be the consequent itself",
  is_aliased: "is aliased to another tag",
  implies_antecedent: "already implies the antecedent",
  implication_cycle: "would imply itself through other tags",
  above_own_level: "is above your own level",
  own_comment: "can't be an upvote of your own comment",
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
  source_status: "could not be downloaded (the site responded with {status})",
  source_timeout: "could not be downloaded in time",
} as const;
export type ProblemKey = keyof typeof PROBLEMS;

export interface FailureDetails {
  /** field -> messages, for 420, 424 and some 423 */
  fields?: Record<string, string[]>;
  /** further fields of the response, such as `post_id` and `location` of a duplicate */
  extra?: Record<string, string | number>;
  /** seconds until the client may retry; by default five for a 503 */
  retryAfter?: number;
  cause?: unknown;
}

const RETRY_SECONDS = 5;

/** An error from the table. All other errors are bugs or faults (500). */
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
    this.retryAfter = details.retryAfter ?? (this.code === "UNAVAILABLE" ? RETRY_SECONDS : undefined);
  }
}

/** What an operator or administrator can mend; the message says what it is. */
export class OperatorError extends Error {}

type Params = Record<string, string | number>;

/** Puts the first plural after the number 1 into the singular: "1 pending upload", "1 entry". */
function singular(text: string): string {
  const words = text.split(" ");
  const one = words.indexOf("1");
  const noun = words.findIndex((word, at) => one >= 0 && at > one && word.endsWith("s"));
  return words.map((word, at) => (at === noun ? word.slice(0, -1).replace(/ie$/, "y") : word)).join(" ");
}

function fill(template: string, params: Params): string {
  const text = template.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? ""));
  return params.limit === 1 ? singular(text) : text;
}

/** Creates the error of a row: `throw failure("not_found")`. The parameter `parameter` is also its field. */
export function failure(key: FailureKey, params: Params = {}, details: FailureDetails = {}): BoardError {
  return new BoardError(key, fill(FAILURES[key].reason, params), { ...faultyParameter(key, params), ...details });
}

/** The 503 for resources that may be free in a moment. @param cause logged as an internal error */
export const overloaded = (cause?: unknown): BoardError => failure("overloaded", {}, { retryAfter: 1, cause });

const PARAMETER = "{parameter} ";

/** The errors by field of a reason that begins with a parameter. */
function faultyParameter(key: FailureKey, params: Params): FailureDetails {
  const { reason } = FAILURES[key];
  if (!reason.startsWith(PARAMETER) || params.parameter === undefined) return {};
  return { fields: { [params.parameter]: [fill(reason.slice(PARAMETER.length), params)] } };
}

/** A sentence for each message of each field. */
export const sentencesOf = (fields: Readonly<Record<string, string[]>>): string[] =>
  Object.entries(fields).flatMap(([field, list]) => list.map((text) => `${field} ${text}`));

/** Collects the validation errors of a record, so that they are reported together. */
export class ValidationErrors {
  readonly fields: Record<string, string[]> = {};

  add(field: string, problem: ProblemKey, params: Params = {}): this {
    (this.fields[field] ??= []).push(fill(PROBLEMS[problem], params));
    return this;
  }

  get any(): boolean {
    return Object.keys(this.fields).length > 0;
  }

  /** The 420 with all collected messages, joined by commas. */
  toError(details: FailureDetails = {}): BoardError {
    const messages = sentencesOf(this.fields).join(", ");
    return failure("invalid_record", { messages }, { ...details, fields: this.fields });
  }

  /** @throws BoardError 420 if there are errors */
  throwIfAny(): void {
    if (this.any) throw this.toError();
  }
}

/** Collects what a check reports. @returns its result @throws BoardError 420 with all errors */
export function validate<T>(check: (problems: ValidationErrors) => T): T {
  const problems = new ValidationErrors();
  const checked = check(problems);
  problems.throwIfAny();
  return checked;
}

/** Creates the 420 for a single validation error. */
export const invalid = (
  field: string,
  problem: ProblemKey,
  params: Params = {},
  details: FailureDetails = {},
): BoardError => new ValidationErrors().add(field, problem, params).toError(details);

/** @returns what was looked for @throws BoardError 404 if nothing was found */
export function requireFound<T>(found: T | null | undefined | false): T {
  if (!found) throw failure("not_found");
  return found;
}

/** @throws BoardError 424 for a required text that is blank */
export function requireText(parameter: string, text: string): void {
  if (isBlank(text)) throw failure("missing_parameter", { parameter });
}
