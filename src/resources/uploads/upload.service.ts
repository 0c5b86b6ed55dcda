/** Uploads: a file or the file behind a URL becomes a post, within the request. */
import type { SignedIn } from "../../runtime/auth/viewer.js";
import type { RequestContext } from "../../context.js";
import { sql } from "../../database/client.js";
import { inserted } from "../../database/rows.js";
import { toBoardError } from "../../database/faults.js";
import { BoardError, failure, type FailureKey, invalid } from "../../errors.js";
import { toSourceSpelling } from "../../lib/names.js";
import { isStorable } from "../../lib/text.js";
import type { Limiter } from "../../runtime/limits/limiter.js";
import { senderOf } from "../../runtime/limits/bytes-in-flight.js";
import { requireRight } from "../shared/policy.js";
import { isUnlimited, mayCreate, maySee } from "./upload.policy.js";
import * as by from "../../search/filters.js";
import { conditionsOf, type Filter, type Page, type SearchOf } from "../../search/listing.js";
import { checkTagNames } from "../../tagging/tag-name.js";
import { parseTagString, type ParsedTagString, TAG_STRING_MAX } from "../../tagging/tag-string.js";
import type { Rating } from "../../tagging/rating.js";
import type { MediaIngest, PreparedMedia, ReceivedFile } from "./media-ingest.js";
import { checkPendingFiles } from "./upload.quota.js";
import type { PageRequest } from "../shared/paging.js";
import { lockQuotas } from "../shared/quota.js";
import * as column from "../shared/columns.js";
import { ReadModel } from "../shared/read-model.js";
import { cleanSource } from "../posts/post.edit.js";
import { countActions, lockPoolsOf } from "../posts/post.actions.js";
import { lockFamily } from "../posts/post.family.js";
import { createPost } from "../posts/post.create.js";
import type { ServiceParts } from "../shared/service.js";

const columns = {
  ...column.ofRecord,
  uploaderId: column.integer,
  uploaderName: column.userName(),
  source: column.text,
  tagString: column.text,
  rating: column.typed<Rating | null>(sql`text`),
  parentId: column.nullable(column.integer),
  /** `completed`, or `error: ` with the reason */
  status: column.text,
  postId: column.nullable(column.integer),
  md5: column.nullable(column.text),
  md5Confirmation: column.nullable(column.text),
  contentType: column.nullable(column.text),
  fileSize: column.nullable(column.integer),
};
export type UploadRecord = column.RecordOf<typeof columns>;

const filters = {
  id: by.ids,
  ...by.user("uploader"),
  postId: by.ids,
  /** exactly this source */
  source: ((text, source) => by.equals(toSourceSpelling(text), source)) as Filter<string>,
  status: by.equals as Filter<string>,
};

export interface NewUpload {
  /** a received file, which overrides `source`; the latter is then stored as text */
  file?: ReceivedFile | null;
  source?: string | null;
  rating?: Rating | null;
  tagString: string;
  parentId?: number | null;
  md5Confirmation?: string | null;
  /** request approval even if it isn't needed */
  asPending?: boolean | null;
}

interface CheckedUpload {
  rating: Rating;
  tags: ParsedTagString;
  tagString: string;
  parentId: number | null;
  source: string;
  md5Confirmation: string | null;
  isPending: boolean;
}

const uploads = new ReadModel(columns, sql`uploads AS t LEFT JOIN users u ON u.id = t.uploader_id`);

export interface UploadServiceParts extends ServiceParts {
  ingest: MediaIngest;
  limiter: Limiter;
  onUpload(outcome: "completed" | FailureKey): void;
}

export class UploadService {
  constructor(private readonly parts: UploadServiceParts) {}

  /** @throws BoardError 403 for visitors */
  search(context: RequestContext, search: SearchOf<typeof filters>, request: PageRequest): Promise<Page<UploadRecord>> {
    requireRight(context.viewer, maySee);
    const where = conditionsOf(filters, search);
    return uploads.list(this.parts, { where }, request);
  }

  byIds(ids: readonly number[]): Promise<Map<number, UploadRecord>> {
    return uploads.byIds(this.parts.database, ids);
  }

  /**
   * Creates the post of an upload. If it fails after the file is received, only the upload's row with `error: ...` is left; before
   * that, nothing.
   * @throws BoardError 403, 420 (file, tags, parent), 421 (daily limit, failed uploads of the hour, actions in the tags), 423 (duplicate), 424 (parameters)
   */
  async create(context: RequestContext, input: NewUpload): Promise<UploadRecord> {
    try {
      const uploader = requireRight(context.viewer, mayCreate);
      const upload = check(input, !isUnlimited(uploader));
      if (!isUnlimited(uploader)) await checkPendingFiles(this.parts.database, this.parts.config, uploader);
      await countActions(this.parts, context, null, upload.tags.actions);
      const record = await this.process(context, uploader, upload, input.file ?? null);
      this.parts.onUpload("completed");
      return record;
    } catch (error) {
      this.parts.onUpload(toBoardError(error).key);
      throw error;
    }
  }

  private async process(
    context: RequestContext,
    uploader: SignedIn,
    upload: CheckedUpload,
    file: ReceivedFile | null,
  ): Promise<UploadRecord> {
    let received = file;
    let media: PreparedMedia | null = null;
    try {
      received ??= await this.parts.ingest.download(upload.source, senderOf(context));
      const { md5Confirmation: md5 } = upload;
      if (md5 && md5 !== received.md5) throw invalid("file", "md5_mismatch");
      media = await this.parts.ingest.prepare(received, uploader);
      const id = await this.convert(context, uploader, upload, media);
      media.stored.length = 0; // rows name them
      return (await this.byIds([id])).get(id) as UploadRecord;
    } catch (error) {
      if (error instanceof BoardError) await this.recordFailure(uploader, upload, received, error);
      throw file ? error : aboutSource(error);
    } finally {
      await (media ? this.parts.ingest.discard(media) : received?.remove());
    }
  }

  /** The transaction: file, post, tags, version and upload are created together or not at all. */
  private convert(
    context: RequestContext,
    uploader: SignedIn,
    upload: CheckedUpload,
    media: PreparedMedia,
  ): Promise<number> {
    const { transact, ingest, config } = this.parts;
    return transact(async (db) => {
      if (!isUnlimited(uploader)) {
        await lockQuotas(db, uploader.id);
        await checkPendingFiles(db, config, uploader);
      }
      const { parentId, tags } = upload;
      const pools = await lockPoolsOf(db, null, tags.actions);
      await lockFamily(db, null, { parentId: parentId ?? undefined, children: tags.actions?.children });
      const file = await ingest.store(db, media);
      const postId = await createPost(db, context, uploader, { ...upload, file, pools, isLimited: true }, config);
      const made = { ...rowOf(uploader, upload, media.received, media.type.mime), status: "completed", postId };
      const [row] = await db.commitWith<{ id: number }>(sql`INSERT INTO uploads ${inserted(made)} RETURNING id`);
      return (row as { id: number }).id;
    });
  }

  /** Leaves the row of a failed upload; without most of a long tag string, since a user may fail as often as there are requests. */
  private async recordFailure(
    uploader: SignedIn,
    upload: CheckedUpload,
    received: ReceivedFile | null,
    error: BoardError,
  ): Promise<void> {
    const post = error.extra.post_id;
    const status = `error: ${error.reason}${post === undefined ? "" : `: ${post}`}`;
    const failed = { ...upload, tagString: firstTags(upload.tagString) };
    await this.parts.database.upload.create({ data: { ...rowOf(uploader, failed, received, null), status } });
  }
}

/** What is wrong with a downloaded file is wrong with its source. */
function aboutSource(error: unknown): unknown {
  if (!(error instanceof BoardError) || !error.fields?.file) return error;
  return new BoardError(error.key, error.reason, { cause: error.cause, fields: { source: error.fields.file } });
}

/** A rating is required, and either `file` or `source`. */
function check(input: NewUpload, isPending: boolean): CheckedUpload {
  if (input.tagString.length > TAG_STRING_MAX || !isStorable(input.tagString)) {
    throw failure("invalid_parameter", { parameter: "upload[tag_string]" });
  }
  const tags = parseTagString(input.tagString);
  const rating = tags.rating ?? input.rating;
  if (!rating) throw failure("missing_parameter", { parameter: "upload[rating]" });
  checkTagNames(tags.names);
  const source = cleanSource(input.source?.trim() || (tags.source ?? ""));
  if (!input.file && source === "")
    throw failure("either_required", { parameter: "upload[file]", other: "upload[source]" });
  return {
    rating,
    tags,
    tagString: input.tagString,
    parentId: tags.parentId === undefined ? (input.parentId ?? null) : tags.parentId,
    source,
    md5Confirmation: input.md5Confirmation?.trim().toLowerCase() || null,
    isPending: isPending || input.asPending === true,
  };
}

/** As many of the first tags as have 2,000 characters. */
const firstTags = (tagString: string): string => /^.{0,2000}(?!\S)/su.exec(tagString)?.[0] ?? "";

const MD5 = /^[0-9a-f]{32}$/;

const rowOf = (uploader: SignedIn, upload: CheckedUpload, received: ReceivedFile | null, mime: string | null) => ({
  uploaderId: uploader.id,
  source: upload.source,
  tagString: upload.tagString,
  rating: upload.rating,
  parentId: upload.parentId,
  md5Confirmation: MD5.test(upload.md5Confirmation ?? "") ? upload.md5Confirmation : null,
  md5: received?.md5 ?? null,
  fileSize: received?.size ?? null,
  contentType: mime,
});
