/**
 * Rows that answer with posts and nothing else: what a row's document asks of a post is run for each post by itself, and the
 * text that comes out is remembered for as long as the post is as it was.
 */
import { type DocumentNode, type GraphQLSchema, print } from "graphql";
import type { GraphQLContext } from "../../graphql/context.js";
import { finishedPost, type PostRef, STAMP } from "../../graphql/posts/finished-posts.js";
import { postSchema } from "../../graphql/posts/split.js";
import { recall, remember } from "../../graphql/posts/remembered.js";
import { type Piece, pieceOf } from "../../src/lib/pieces.js";
import type { Format } from "./envelope.js";
import { compile, type Run } from "./execute.js";
import { pick } from "./only.js";
import type { Json, ResourceRow, View } from "./row.js";
import type { Shape } from "./shape.js";
import { recordXml } from "./xml.js";

/** What the text of a post is made by. */
export interface PostTextParts {
  /** of the interface, in its spelling */
  schema: GraphQLSchema;
  /** what is asked of a post */
  document: DocumentNode;
  row: ResourceRow;
  shape: Shape;
}

/** What a text takes in memory beside its bytes. */
const TEXT_BYTES = 400;

/** The documents and views of posts that there are: rows with the same answer with the same texts. */
const kinds: { text: string; view: View | undefined }[] = [];

function kindOf(text: string, view: View | undefined): number {
  const known = kinds.findIndex((each) => each.text === text && each.view === view);
  return known < 0 ? kinds.push({ text, view }) - 1 : known;
}

/** Makes texts of posts as a row answers with them. */
export class PostTexts {
  private readonly run: Run;
  private readonly kind: number;

  constructor(private readonly parts: PostTextParts) {
    this.run = compile(postSchema(parts.schema), parts.document);
    this.kind = kindOf(print(parts.document), parts.row.view);
  }

  /**
   * The text of each post that the outer document answered, without those that are gone by now; at once where all are remembered.
   * @param only the fields to answer; null for all
   */
  of(
    answered: readonly Json[],
    context: GraphQLContext,
    format: Format,
    only: ReadonlySet<string> | null,
  ): Piece[] | Promise<Piece[]> {
    const kind = `${this.kind} ${format}`;
    const texts = answered.map(({ [STAMP]: stamp }) => {
      const post = stamp as PostRef;
      const known = only ? undefined : (recall(kind, post, context) as Piece | undefined);
      return known ?? this.make(post, context, format, only);
    });
    if (!texts.some((text) => text instanceof Promise)) return texts as Piece[];
    const all = Promise.all(texts.map((text) => Promise.resolve(text)));
    return all.then((made) => made.filter((text) => text !== null));
  }

  private async make(
    ref: PostRef,
    context: GraphQLContext,
    format: Format,
    only: ReadonlySet<string> | null,
  ): Promise<Piece | null> {
    const { row, shape } = this.parts;
    const post = await finishedPost(ref, context, { withTags: true, isRemembered: false });
    if (!post) return null;
    const { data, errors } = await this.run(context, {}, post);
    if (!data) throw errors?.[0] ?? new TypeError("a post has fields");
    const record = pick(row.view ? row.view(data) : data, only);
    const text = pieceOf(format === "json" ? JSON.stringify(record) : recordXml(row.resource, record, shape));
    if (!only && !errors) remember(`${this.kind} ${format}`, post, context, text, TEXT_BYTES + text.bytes.length);
    return text;
  }
}
