/** Lists as connections: `nodes`, `edges` with cursors for Relay, and `totalCount`, counted only when selected. */
import { type ClassType, Ctx, Field, Int, ObjectType, Root } from "type-graphql";
import { failure } from "../../src/errors.js";
import type { Total } from "../../src/search/estimate.js";
import type { Page } from "../../src/search/listing.js";
import type { PageSelector } from "../../src/search/page.js";
import type { GraphQLContext } from "../context.js";
import type { PageRequest } from "../../src/resources/shared/paging.js";
import { int, nested, nullable, objectType, string, type ValuesOf } from "./fields.js";
import { getOrMake } from "../../src/lib/get-or-make.js";

/** The position of a page. The records on the side where it begins are looked up only when selected. */
@ObjectType("PageInfo", { description: "Position of a page within its list.", simpleResolvers: true })
export class PageInfo {
  constructor(
    private readonly page: Page<{ id: number }>,
    private readonly cursorAt: (index: number) => string | null,
  ) {}

  @Field(() => Boolean, { description: "Whether there are records after this page." })
  hasNextPage(): boolean | Promise<boolean> {
    return this.page.afterId === null ? this.page.hasMore : this.page.hasOthers();
  }

  @Field(() => Boolean, { description: "Whether there are records before this page." })
  hasPreviousPage(): boolean | Promise<boolean> {
    return this.page.afterId === null ? this.page.hasOthers() : this.page.hasMore;
  }

  @Field(() => String, {
    nullable: true,
    description:
      "`page` of the next page: its number, or `b<id>` after the last number and after pages by id. Null if there is no next page, or none has a number in the list's order.",
  })
  async nextPage(@Ctx() { board }: GraphQLContext): Promise<string | null> {
    const { number, byId, rows, afterId } = this.page;
    if (!(await this.hasNextPage())) return null;
    if (number !== null && number < board.config.MAX_PAGE) return String(number + 1);
    return byId ? `b${rows.at(-1)?.id ?? (afterId ?? 0) + 1}` : null; // nothing may be newer than an id
  }

  @Field(() => String, { nullable: true, description: "Cursor of the first record of the page." })
  get startCursor(): string | null {
    return this.cursorAt(0);
  }

  @Field(() => String, { nullable: true, description: "Cursor of the last record; pass it as `after`." })
  get endCursor(): string | null {
    return this.cursorAt(-1);
  }
}

export const pageArgs = {
  first: nullable(int("Records per page: 20 by default; clamped to 1 and the maximum.")),
  after: nullable(string("Cursor after which the page begins. Replaces `page`.")),
  page: nullable(string("Page number, or `b<id>` for the records before an id, or `a<id>` for those after it.")),
};

/** The page request for the arguments of a list. @throws BoardError 424 for an invalid cursor */
export const toPageRequest = ({ first, page, after }: Partial<ValuesOf<typeof pageArgs>>): PageRequest => ({
  first,
  page,
  after: after ? decodeCursor(after) : null,
});

const encodeCursor = (kind: "id" | "offset", value: number): string =>
  Buffer.from(`${kind}:${value}`).toString("base64url");

function decodeCursor(cursor: string): PageSelector {
  const match = /^(id|offset):(\d{1,15})$/.exec(Buffer.from(cursor, "base64url").toString());
  if (!match) throw failure("invalid_parameter", { parameter: "after" });
  const value = Number(match[2]);
  return match[1] === "id" ? { kind: "before", id: value } : { kind: "offset", offset: value };
}

export interface ConnectionOf<T> {
  nodes: T[];
  edges: { cursor: string; node: T }[];
  pageInfo: PageInfo;
  count(): Promise<Total>;
}

/**
 * A connection of one page. In lists by id a cursor is the id, so that pages neither repeat nor miss records while new
 * ones are added; in other orders it is the position.
 */
class PageConnection<T extends { id: number }> implements ConnectionOf<T> {
  nodes: T[];
  readonly count: () => Promise<Total>;

  constructor(private readonly page: Page<T>) {
    let total: Promise<Total> | undefined;
    this.nodes = page.rows;
    this.count = () => (total ??= page.count());
  }

  // not own properties: type-graphql copies those for each computed field, and would make all cursors each time
  get edges(): { cursor: string; node: T }[] {
    return this.nodes.map((node, index) => ({ cursor: this.cursorOf(node, index), node }));
  }

  get pageInfo(): PageInfo {
    return new PageInfo(this.page, (index) => {
      const row = this.nodes.at(index);
      return row ? this.cursorOf(row, this.nodes.indexOf(row)) : null;
    });
  }

  private cursorOf(row: T, index: number): string {
    const { byId, offset } = this.page;
    return byId ? encodeCursor("id", row.id) : encodeCursor("offset", offset + index + 1);
  }
}

export const toConnection = <T extends { id: number }>(page: Page<T>): ConnectionOf<T> => new PageConnection(page);

const connections = new Map<ClassType, ClassType<ConnectionOf<never>>>();

/** The connection type of a node type: `PostConnection` with `PostEdge`. */
export const Connection = <T extends object>(Node: ClassType<T>): ClassType<ConnectionOf<T>> =>
  getOrMake(connections, Node, () => makeConnection(Node));

function makeConnection<T extends object>(Node: ClassType<T>): ClassType<ConnectionOf<never>> {
  const { name } = Node;
  const Edge = objectType(`${name}Edge`, "One record of a list with its cursor.", {
    cursor: string("Cursor of the record."),
    node: nested(() => Node, "The record."),
  });

  @ObjectType(`${name}Connection`, { description: `One page of a list.`, simpleResolvers: true })
  class NodeConnection {
    @Field(() => [Node], { description: "The records of the page." })
    nodes!: T[];

    @Field(() => [Edge], { description: "The records of the page with their cursors." })
    edges!: InstanceType<typeof Edge>[];

    @Field(() => PageInfo, { description: "Position of the page within the list." })
    pageInfo!: PageInfo;

    @Field(() => Int, { description: "Number of records on all pages; counted only when selected." })
    async totalCount(@Root() connection: ConnectionOf<T>): Promise<number> {
      return (await connection.count()).count;
    }

    @Field(() => Boolean, { description: "Whether `totalCount` is an estimate, because counting would take too long." })
    async isTotalCountEstimate(@Root() connection: ConnectionOf<T>): Promise<boolean> {
      return (await connection.count()).isEstimate;
    }
  }
  return NodeConnection as unknown as ClassType<ConnectionOf<never>>;
}
