/**
 * Rows that return only posts: the row's selection is run for posts that are not cached, and
 * the text of each is cached until the post changes.
 */
import { type DocumentNode, type GraphQLSchema, print } from "graphql";
import type { GraphQLContext } from "../../graphql/context.js";
import { type FinishedPost, finishedPosts, type PostRef } from "../../graphql/posts/finished-posts.js";
import { type GivenPosts, postOf, postsSchema } from "../../graphql/posts/split.js";
import { recall, remember } from "../../graphql/posts/remembered.js";
import type { MaybePromise } from "../../src/lib/maybe-promise.js";
import { type Piece, pieceOf } from "../../src/lib/pieces.js";
import type { Format } from "./envelope.js";
import { compile, type Run } from "./execute.js";
import { pick } from "./params.js";
import type { Json, ResourceRow, View } from "./row.js";
import type { Shape } from "./shape.js";
import { recordXml } from "./xml.js";

export interface PostTextParts {
  /** the REST variant of the schema */
  schema: GraphQLSchema;
  /** the selection on posts, in a `postsSchema` */
  document: DocumentNode;
  row: ResourceRow;
  shape: Shape;
}

/** Memory of a text besides its characters, with what the heap keeps free for it. */
const TEXT_BYTES = 300;

/** The known selections and views of posts: rows with the same response share texts. */
const kinds: { text: string; view: View | undefined }[] = [];

function kindOf(text: string, view: View | undefined): number {
  const known = kinds.findIndex((each) => each.text === text && each.view === view);
  return known < 0 ? kinds.push({ text, view }) - 1 : known;
}

/** Makes the texts of posts in a row's response. */
export class PostTexts {
  private readonly run: Run;
  private readonly kind: number;

  constructor(private readonly parts: PostTextParts) {
    this.run = compile(postsSchema(parts.schema), parts.document);
    this.kind = kindOf(print(parts.document), parts.row.view);
  }

  /**
   * The text of each post that the outer document returned, without removed ones; without a promise if all are cached.
   * @param only the fields to include; null for all
   */
  of(
    answered: readonly Json[],
    context: GraphQLContext,
    format: Format,
    only: ReadonlySet<string> | null,
  ): MaybePromise<Piece[]> {
    const kind = `${this.kind} ${format}`;
    const posts = answered.map(postOf);
    const known = (only ? posts.map(() => undefined) : recall(kind, posts, context)) as (Piece | undefined)[];
    if (known.every((text) => text !== undefined)) return known;
    const missing = posts.filter((_, index) => !known[index]);
    return this.make(missing, context, format, only).then((made) => {
      const texts = made.values();
      return known.map((text) => text ?? (texts.next().value as Piece | null)).filter((text) => text !== null);
    });
  }

  /** The text of each; null for a removed post. */
  private async make(
    refs: readonly PostRef[],
    context: GraphQLContext,
    format: Format,
    only: ReadonlySet<string> | null,
  ): Promise<(Piece | null)[]> {
    const all = await finishedPosts(refs, context, true);
    const posts: GivenPosts<FinishedPost> = { posts: all.filter((post) => post !== null) };
    const { data, errors } = await this.run(context, {}, posts);
    const records = (data as GivenPosts<Json | null> | null | undefined)?.posts.values();
    return all.map((post) => {
      if (!post) return null;
      const record = records?.next().value;
      if (!record) throw errors?.[0] ?? new TypeError("a post has fields");
      const text = this.serialize(record, format, only);
      if (!only && !errors) remember(`${this.kind} ${format}`, post, context, text, TEXT_BYTES + text.content.length);
      return text;
    });
  }

  private serialize(data: Json, format: Format, only: ReadonlySet<string> | null): Piece {
    const { row, shape } = this.parts;
    const record = pick(row.view ? row.view(data) : data, only);
    return pieceOf(format === "json" ? JSON.stringify(record) : recordXml(row.resource, record, shape));
  }
}
