/** Random searches, each with its results in order. */
import fc from "fast-check";
import { ALIASES, type BoardPost, type MemoryBoard, PRIVATE, TAGS, USERS } from "./board.js";
import { type Condition, type Conditions, conditions, type Searcher, seesGroup } from "./metatags.js";
import { type MemoryOrder, NEWEST, orders } from "./orders.js";

/** A part of a search and the posts that it means. */
interface Expression {
  text: string;
  test: (post: BoardPost) => boolean;
}

export interface RandomSearch extends Expression {
  order: MemoryOrder;
  /** what the text says about the size of pages */
  limit: number | null;
}

const has =
  (...tags: string[]) =>
  (post: BoardPost): boolean =>
    tags.some((tag) => post.tags.includes(tag));

const IN_FORCE = new Map(
  ALIASES.filter(([, , status]) => status === "active" || status === "processing").map(([from, to]) => [from, to]),
);

const tag = (name: string): Expression => ({ text: name, test: has(IN_FORCE.get(name) ?? name) });

const wildcard = (text: string, pattern: RegExp): Expression => ({
  text,
  test: has(...TAGS.filter((name) => pattern.test(name))),
});

const unaliased = (name: string): Expression => ({ text: `unaliased:${name}`, test: has(name.toLowerCase()) });

const TERMS: readonly Expression[] = [
  ...TAGS.map(tag),
  ...TAGS.map(tag),
  ...ALIASES.map(([name]) => tag(name)),
  { ...tag("a"), text: "A" },
  { ...tag("old_a"), text: "Old_A" },
  tag("nowhere"),
  wildcard("wide_*", /^wide_/),
  wildcard("*_X", /_x$/),
  wildcard("*wide*", /wide/),
  wildcard("w**_*y", /^w.*_.*y$/),
  wildcard("*", /./),
  wildcard("*%*", /%/),
  wildcard("%*", /^%/),
  wildcard("_*", /^_/),
  wildcard("old_*", /^old_/),
  { text: "/tw", test: has("two_words") },
  { text: "/WX", test: has("wide_x") },
  { text: "/zz", test: () => false },
  unaliased("shadow"),
  unaliased("old_a"),
  unaliased("A"),
  { text: "unaliased:wide_*", test: () => false },
];

const escaped = (value: string, quote: string): string =>
  `${quote}${value.replaceAll("\\", "\\\\").replaceAll(quote, `\\${quote}`)}${quote}`;

/** The ways to write a value. */
function spellings(value: string): string[] {
  const quoted = [escaped(value, '"'), escaped(value, "'")];
  return /^["']/.test(value) ? quoted : [...quoted, value.replaceAll(" ", "\\ "), value.replaceAll(" ", "\\ ")];
}

/** A condition as it may be written. */
export const metatag = (name: string, values: Conditions): fc.Arbitrary<Expression> =>
  fc
    .tuple(fc.constantFrom(name, name, name.toUpperCase()), values)
    .chain(([written, { value, test }]: [string, Condition]) =>
      fc.constantFrom(...spellings(value)).map((spelling) => ({ text: `${written}:${spelling}`, test })),
    );

const BLANKS = [" ", " ", " ", "  ", "\t", "\u3000", "\u00a0", "\u0085", "\n"];
const blank = fc.constantFrom(...BLANKS);
const glue = fc.oneof({ weight: 4, arbitrary: blank }, fc.constantFrom(" and ", " AND "));

/** Expressions of the grammar over these terms. */
function expressions(term: fc.Arbitrary<Expression>): fc.Arbitrary<Expression> {
  const { expression } = fc.letrec<{ expression: Expression; clause: Expression; factor: Expression }>((tie) => ({
    factor: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      term,
      fc
        .tuple(tie("expression"), fc.constantFrom("", " ", "\u3000"))
        .map(([{ text, test }, space]) => ({ text: `(${space}${text}${space})`, test })),
    ),
    clause: fc
      .array(fc.tuple(fc.constantFrom("", "", "", "-", "-", "~"), tie("factor"), glue), { minLength: 1, maxLength: 4 })
      .map(clauseOf),
    expression: fc
      .array(fc.tuple(tie("clause"), fc.constantFrom(" or ", " OR ", "\u3000or\t")), { minLength: 1, maxLength: 3 })
      .map((clauses) => ({
        text: clauses.map(([{ text }, or], i) => (i > 0 ? `${or}${text}` : text)).join(""),
        test: (post) => clauses.some(([{ test }]) => test(post)),
      })),
  }));
  return expression;
}

const clauseOf = (factors: [string, Expression, string][]): Expression => {
  const optional = factors.filter(([sign]) => sign === "~");
  return {
    text: factors.map(([sign, { text }, space], i) => `${i > 0 ? space : ""}${sign}${text}`).join(""),
    test: (post) =>
      factors.every(([sign, { test }]) => sign === "~" || test(post) !== (sign === "-")) &&
      (optional.length === 0 || optional.some(([, { test }]) => test(post))),
  };
};

/** A meta-tag that says how the result is shown, and what it finds. */
interface Directive extends Expression {
  order?: MemoryOrder;
  /** goes before `order:` */
  isStrong?: boolean;
  limit?: number;
}

const everything = (): boolean => true;

/** All pools and favorites in their order. */
export function collections(board: MemoryBoard, searcher: Searcher): (Directive & { order: MemoryOrder })[] {
  const pools = board.pools.flatMap((pool) => {
    const place = (post: BoardPost): number => pool.posts.indexOf(post.id);
    const directive = {
      test: (p: BoardPost) => place(p) >= 0,
      order: { key: place, direction: 1 as const },
      isStrong: true,
    };
    return [
      { ...directive, text: `ordpool:${pool.id}` },
      { ...directive, text: `ordpool:${pool.name.toLowerCase()}` },
    ];
  });
  const sees = (name: string): boolean => name !== PRIVATE || searcher.isAdmin || searcher.name === name;
  const favorites = USERS.map((name) => {
    const place = (post: BoardPost): number => post.favorites.find((favorite) => favorite.by === name)?.id ?? 0;
    const order: MemoryOrder = { key: place, direction: -1 };
    return { text: `ordfav:${name}`, test: (p: BoardPost) => sees(name) && place(p) > 0, order, isStrong: true };
  });
  const groups = board.groups.map((group) => {
    const place = (post: BoardPost): number => group.posts.indexOf(post.id);
    const test = (p: BoardPost) => seesGroup(group, searcher) && place(p) >= 0;
    return { text: `ordfavgroup:${group.id}`, test, order: { key: place, direction: 1 as const }, isStrong: true };
  });
  return [...pools, ...favorites, ...groups];
}

function directives(board: MemoryBoard, searcher: Searcher): fc.Arbitrary<Directive> {
  const byName = Object.entries(orders(board));
  const nothing: Directive[] = ["ordpool:nowhere", "ordpool:any", "ordfav:nobody", "ordfavgroup:nowhere"].map(
    (text) => {
      return { text, test: () => false, order: { key: () => null, direction: 1 }, isStrong: true };
    },
  );
  const custom = fc
    .uniqueArray(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 8 })
    .map((ids): Directive => {
      const order: MemoryOrder = { key: (p) => ids.indexOf(p.id), direction: 1 };
      return { text: `order:custom id:${ids.join(",")}`, test: (p) => ids.includes(p.id), order };
    });
  return fc.oneof(
    {
      weight: 12,
      arbitrary: fc.constantFrom(...byName.filter(([name]) => name !== "custom")).map(([name, order]): Directive => {
        return { text: `order:${name}`, test: everything, order };
      }),
    },
    { weight: 6, arbitrary: fc.constantFrom<Directive>(...collections(board, searcher)) },
    { weight: 2, arbitrary: custom },
    fc.constantFrom<Directive>(...nothing, { text: "Order:Unknown", test: everything, order: NEWEST }),
    {
      weight: 6,
      arbitrary: fc
        .integer({ min: 1, max: 12 })
        .map((limit): Directive => ({ text: `limit:${limit}`, test: everything, limit })),
    },
    fc.constant<Directive>({ text: "limit:few", test: everything }),
  );
}

/** The order that holds: the last strong one, or else the last one. */
const orderOf = (list: readonly Directive[]): MemoryOrder => {
  const ordering = list.filter((directive) => directive.order);
  return (ordering.findLast(({ isStrong }) => isStrong) ?? ordering.at(-1))?.order ?? NEWEST;
};

/** Searches of a board by somebody. */
export function searches(board: MemoryBoard, searcher: Searcher): fc.Arbitrary<RandomSearch> {
  const known = Object.entries(conditions(board, searcher));
  const term = fc.oneof(
    fc.constantFrom(...TERMS),
    fc.constantFrom(...known).chain(([name, values]) => metatag(name, values)),
  );
  const parts = fc.array(directives(board, searcher), { maxLength: 3 });
  return fc.tuple(expressions(term), parts, fc.boolean()).map(([expression, list, isLast]): RandomSearch => {
    // `order:custom` takes the first `id:` that it finds, which is to be its own
    const custom = list.findLast(({ text }) => text.startsWith("order:custom"));
    const others = list.filter((directive) => !directive.text.startsWith("order:custom"));
    const chosen = custom ? [custom, ...others] : others;
    const texts = others.map(({ text }) => text);
    const group = list.length > 0 ? `( ${expression.text} )` : expression.text;
    const order = orderOf(chosen);
    return {
      text: [...(custom ? [custom.text] : []), ...(isLast ? [group, ...texts] : [...texts, group])].join(" "),
      test: (post) => expression.test(post) && chosen.every(({ test }) => test(post)) && (order.where?.(post) ?? true),
      order,
      limit: chosen.findLast(({ limit }) => limit !== undefined)?.limit ?? null,
    };
  });
}
