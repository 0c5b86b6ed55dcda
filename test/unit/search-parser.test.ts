import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cheatSheet, FIRST_STEPS } from "../../scripts/search.js";
import { and, leaves, not, or, type Query, type Term } from "../../src/search/posts/ast.js";
import { findMetatag, metatagNames, METATAGS } from "../../src/search/posts/metatags/index.js";
import { ORDERS } from "../../src/search/posts/orders.js";
import { BoardError } from "../../src/errors.js";
import { Lexer, Malformed } from "../../src/search/posts/lexer.js";
import { literalTag, Parser, parseSearch } from "../../src/search/posts/parser.js";

const lookup = (name: string) => findMetatag(name)?.name;
const parse = (text: string, maxTerms = Infinity) => parseSearch(text, lookup, maxTerms);

/** Trees as S-expressions: `(and a (not b))`, wildcards and meta-tags as written. */
function show(node: Query): string {
  switch (node.type) {
    case "tag":
      return node.aliased ? node.name : `=${node.name}`;
    case "wildcard":
      return node.pattern;
    case "metatag":
      return `${node.name}:<${node.value}>`;
    case "not":
      return `(not ${show(node.child)})`;
    case "and":
    case "or":
      return `(${node.type} ${node.children.map(show).join(" ")})`;
    default:
      return node.type;
  }
}

const read = (text: string): string => show(parse(text).query);

describe("the grammar of post searches", () => {
  it.each([
    ["", "all"],
    [" \t\u3000\u0085 ", "all"],
    ["a", "a"],
    ["A_Tag", "a_tag"],
    ["a b", "(and a b)"],
    ["a\u3000b\u00a0c", "(and a b c)"],
    ["a and b", "(and a b)"],
    ["a AND b", "(and a b)"],
    ["a or b", "(or a b)"],
    ["a Or b oR c", "(or a b c)"],
    ["a b or c d", "(or (and a b) (and c d))"],
    ["a or b and c", "(or a (and b c))"],
    ["(a or b) c", "(and (or a b) c)"],
    ["a (b or c)", "(and a (or b c))"],
    ["(a) (b)", "(and a b)"],
    ['(source:"a")(b)', "(and source:<a> b)"],
    ["( a )", "a"],
    ["((a) or (b))", "(or a b)"],
    ["(a or b )or c", "(or a b c)"],
    ["(a or b)or c", "none"],
  ])("combines: %j is %s", (text, tree) => expect(read(text)).toBe(tree));

  it.each([
    ["-a", "(not a)"],
    ["- a", "(not a)"],
    ["-(a b)", "(not (and a b))"],
    ["-(a or b)", "(and (not a) (not b))"],
    ["-(-a)", "a"],
    ["-(-(a or b))", "(or a b)"],
    ["a -b", "(and a (not b))"],
    ["a-b", "a-b"],
    ["a -b*", "(and a (not b*))"],
    ["-score:5", "(not score:<5>)"],
  ])("negates: %j is %s", (text, tree) => expect(read(text)).toBe(tree));

  it.each([
    ["~a", "a"],
    ["~a ~b", "(or a b)"],
    ["~a c ~b", "(and c (or a b))"],
    ["~a and ~b", "(or a b)"],
    ["~a ~b or ~c d", "(or a b (and d c))"],
    ["(~a ~b) ~c ~d", "(and (or a b) (or c d))"],
    ["~(a b) ~c", "(or (and a b) c)"],
    ["~user:x ~b", "(or user:<x> b)"],
  ])("groups the optional: %j is %s", (text, tree) => expect(read(text)).toBe(tree));

  it.each([
    ["(a b_(c))", "(and a b_(c))"],
    ["(a or b_(c_(d)))", "(or a b_(c_(d)))"],
    ["a)", "a)"],
    ["b_(c)", "b_(c)"],
    ["(a)) b", "(and a) b)"],
    [":)", ":)"],
    ["(:))", ":)"],
    ["(a ;()", "none"],
    ["(a >:( )", "(and a >:()"],
    ["((a)", "none"],
    ["(source:b_(c))", "source:<b_(c)>"],
    ["(rating:s)", "rating:<s>"],
    ['(source:"b)")', "source:<b)>"],
    ["(a))))", "a)))"],
    ["((a_(b))))", "a_(b))"],
    ["((a_(b)))", "a_(b)"],
    ["(a_((b))", "none"],
    ["(b)_(c))", "b)_(c)"],
    ["(>:))", ">:)"],
    ["((:)))", ":)"],
  ])("distinguishes parentheses of tags from groups: %j is %s", (text, tree) => expect(read(text)).toBe(tree));

  it.each([
    ["\\(a)", "(a)"],
    ["\\(a", "(a"],
    ["\\)a", ")a"],
    ["-\\(a)", "(not (a))"],
    ["(b or \\(a))", "(or b (a))"],
    ["\\(A_* ~\\(b)", "(and (a_* (b))"],
    ["\\a", "\\a"],
    ["\\\\(a)", "\\\\(a)"],
    ["a_\\(b)", "a_\\(b)"],
    ["unaliased:(a)", "=(a)"],
  ])("reads tags that start with an escaped parenthesis: %j is %s", (text, tree) => expect(read(text)).toBe(tree));

  it.each([
    ["user:Albert", "user:<Albert>"],
    ["USER:Albert", "user:<Albert>"],
    ["md5:ab", "md5:<ab>"],
    ["comm:a", "commenter:<a>"],
    ["pixiv:1", "pixiv_id:<1>"],
    ["user:", "user:<>"],
    ["unknown:rest", "unknown:rest"],
    ["constructor:x", "constructor:x"],
    ["__proto__:x", "__proto__:x"],
    ["a:user:b", "a:user:b"],
    ['source:"a b"', "source:<a b>"],
    ["source:'a b' c", "(and source:<a b> c)"],
    ['source:"a \\"b\\" \\\\ \\c"', 'source:<a "b" \\ \\c>'],
    ["source:a\\ b c", "(and source:<a b> c)"],
    ['source:a"b c"', '(and source:<a"b> c")'],
    ["pool:a*b", "pool:<a*b>"],
    ["unaliased:Some_Tag", "=some_tag"],
  ])("reads meta-tags: %j is %s", (text, tree) => expect(read(text)).toBe(tree));

  it.each([
    "or",
    "and",
    "a or",
    "or a",
    "a and",
    "and a",
    "a or or b",
    "a and or b",
    "a or and b",
    "(",
    ")",
    "()",
    "(a",
    "a )",
    "(a or)",
    "(or a)",
    "--a",
    "-~a",
    "~-a",
    "~~a",
    "-",
    "~",
    "a -",
    'source:"a',
    "source:'a",
    "-or",
    "a (b or c",
    "(a) ) b",
  ])("finds nothing for the malformed %j", (text) => expect(parse(text).query).toEqual({ type: "none" }));

  it.each(["\0", "a\0b", "\ud800", "a\udc00", "user:a\0", "a \0*"])("finds nothing for the unstorable %j", (text) =>
    expect(read(text)).toBe("none"),
  );

  it("finds everything for a negated term that can match nothing", () => expect(read("-a\0b")).toBe("all"));

  it("counts every tag, wildcard and meta-tag", () => {
    expect(parse("a -b ~c* (user:d or a) order:id").terms).toBe(6);
    expect(parse("").terms).toBe(0);
  });

  it("treats a raw text as one tag", () => {
    expect(show(literalTag(" -User:A* "))).toBe("=-user:a*");
    expect(show(literalTag("a b"))).toBe("none");
    expect(show(literalTag("a\0"))).toBe("none");
  });
});

describe("trees", () => {
  const tag = (name: string): Query => ({ type: "tag", name, aliased: true });

  it("have no all or none below another node", () => {
    expect(show(and([tag("a"), { type: "all" }]))).toBe("a");
    expect(show(and([tag("a"), { type: "none" }]))).toBe("none");
    expect(show(or([tag("a"), { type: "all" }]))).toBe("all");
    expect(show(or([]))).toBe("none");
    expect(show(not<Term>({ type: "none" }))).toBe("all");
  });

  it("are flat", () => expect(show(and([and([tag("a"), tag("b")]), tag("c")]))).toBe("(and a b c)"));
});

describe("any text", () => {
  const pieces = fc.constantFrom(
    "a",
    "b_(c)",
    "(",
    ")",
    "-",
    "~",
    " ",
    "or",
    "and",
    "*",
    ":",
    '"',
    "'",
    "\\",
    "user:",
    "id:",
    "\0",
    "\ud800",
  );
  const texts = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(pieces, { maxLength: 60 }).map((list) => list.join("")),
  );

  it("is read without an error", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const { query, terms } = parse(text);
        expect(terms).toBeGreaterThanOrEqual(query.type === "none" ? 0 : leaves(query).length);
      }),
      { numRuns: 2000 },
    );
  });

  it("may have 500 nested groups; more are refused", () => {
    const nested = (depth: number, open = "(") => `${open.repeat(depth)}a${")".repeat(depth)}`;
    expect(read(nested(500))).toBe("a");
    expect(read(nested(500, "-("))).toBe("a");
    expect(read(nested(499, "-("))).toBe("(not a)");
    expect(() => read(nested(501))).toThrow("a search can nest at most 500 groups");
    expect(() => read("(".repeat(501))).toThrow("a search can nest at most 500 groups");
    expect(parse(`${"(a or b (".repeat(250)}c${"))".repeat(250)}`).terms).toBe(501);
  });

  it("may have 32,768 bytes including spaces; more are refused", () => {
    expect(read(`a${" ".repeat(32_767)}`)).toBe("a");
    const tooLong = "a text to search for may have at most 32768 bytes";
    expect(() => read(`a${" ".repeat(32_768)}`)).toThrow(tooLong);
    expect(() => read("ä".repeat(16_385))).toThrow(tooLong);
    expect(() => literalTag("a".repeat(32_769))).toThrow(tooLong);
  });

  it("is not read beyond the first term over the limit", () => {
    const lexer = new Lexer("a ".repeat(10_000));
    expect(() => new Parser(lexer, lookup, 40).search()).toThrow("a search may have at most 40 terms");
    expect(lexer.steps).toBeLessThan(1_000);
    expect(parse("a ".repeat(40), 40).terms).toBe(40);
  });
});

/** Texts of about so many characters, each the worst for some rule of the grammar. */
const worstTexts = (size: number): [string, string][] => {
  const half = size / 2;
  const row = (word: string, length = size) => word.repeat(Math.ceil(length / word.length));
  const groups = "(".repeat(499);
  return [
    ["opening parentheses", row("(")],
    ["closing parentheses", row(")")],
    ["499 groups and a word that closes more", `${groups}a${row(")")}`],
    ["499 groups and a word that opens more than it closes", `${groups}a${row("(", half + 1000)}${row(")", half)}`],
    ["499 groups and a word that closes more than it opens", `${groups}a${row("(", half)}${row(")", half + 1000)}`],
    ["words that end in parentheses", `(${row("a_(b)) (")}`],
    ["smileys", `${groups}${row(":) ")}`],
    ["smileys without blanks between", `${groups}${row(":)")}`],
    ["balanced words", `(${row("(a)(b)")}`],
    ["a quote that does not end", `source:"${row("a")}`],
    ["quotes that do not end", row('source:"')],
    ["quotes that end", row('source:"a" ')],
    ["a quote full of backslashes", `source:"${row("\\")}`],
    ["backslashes", row("\\")],
    ["escaped blanks", `source:${row("\\ ")}`],
    ["backslashes and parentheses", `(${row("\\(a) ")}`],
    ["blanks", row(" ")],
    ["blanks of Unicode", `a${row("\u3000\u0085")}b`],
    ["blanks between parentheses", row(" ( ")],
    ["blanks before each word", row(`a${" ".repeat(100)}`)],
    ["signs", row("-")],
    ["signs with blanks", row("- ")],
    ["signs and groups", row("-(")],
    ["optional terms", row("~a ")],
    ["alternating signs", row("-~")],
    ["a long name without a colon", row("a")],
    ["names of no meta-tag", row("a:")],
    ["meta-tags without values", row("user: ")],
    ["meta-tags one after the other", row("user:")],
    ["almost a meta-tag", row("orde ")],
    ["operators", row("or ")],
    ["operators between terms", `a${row(" or a")}`],
    ["both operators", `a${row(" and or")}`],
    ["halves of operators", row("o")],
    ["asterisks", row("a*")],
    ["letters outside of the basic plane", row("😀")],
  ];
};

describe.each([
  ["within the bound", 32_000],
  ["far beyond the bound, were it not there", 320_000],
])("the steps of the lexer over text %s", (_, size) => {
  it.each(worstTexts(size))("are a few per character at most: %s", (_name, text) => {
    const lexer = new Lexer(text);
    const search = new Parser(lexer, lookup, Infinity);
    try {
      search.search();
    } catch (error) {
      if (!(error instanceof Malformed || error instanceof BoardError)) throw error;
    }
    expect(lexer.steps).toBeGreaterThan(0);
    expect(lexer.steps).toBeLessThanOrEqual(10 * text.length);
  });
});

describe("the tree of a search with 40 terms", () => {
  const nodesIn = (node: Query): number =>
    1 +
    (node.type === "not" ? nodesIn(node.child) : 0) +
    (node.type === "and" || node.type === "or" ? node.children.reduce((sum, child) => sum + nodesIn(child), 0) : 0);

  /** Forty terms within one another, each level written so. */
  const nested = (open: string): string => `${open.repeat(39)}z${")".repeat(39)}`;

  it.each(["a (", "a or (", "-(a ", "-(a or ", "~a ~(", "-(a -(b or ", "-(-a ", "-(-a or ", "a -(~b ~("])(
    "is no larger than its terms, however they are nested: %s",
    (open) => {
      const text = open.split("(").length > 2 ? `${open.repeat(19)}z${")".repeat(38)}` : nested(open);
      const { query, terms } = parse(text);
      expect(terms).toBeGreaterThan(20);
      expect(leaves(query).length).toBeLessThanOrEqual(terms);
      expect(nodesIn(query)).toBeLessThanOrEqual(4 * terms);
    },
  );

  it("is no larger for 500 negations of all of them", () => {
    const terms = Array.from({ length: 40 }, (_, i) => `t${i}`);
    const { query } = parse(`${"-(".repeat(500)}${terms.join(" or ")}${")".repeat(500)}`);
    expect(nodesIn(query)).toBe(41);
  });

  it("is built from 16,001 terms in a group as well", () => {
    expect(leaves(parse(`(${"a ".repeat(16_000)}) b`).query)).toHaveLength(16_001);
  });
});

describe("the registry of meta-tags", () => {
  it("has every name once", () => {
    const names = METATAGS.flatMap((row) => [row.name, ...(row.aliases ?? [])]);
    expect(new Set(names).size).toBe(names.length);
    expect(metatagNames()).toEqual(names);
  });

  it("has lowercase names, descriptions, and examples that parse as that meta-tag", () => {
    for (const row of METATAGS) {
      expect(row.name).toMatch(/^[a-z0-9_]+$/);
      expect(row.description).not.toBe("");
      expect(row.examples.length).toBeGreaterThan(0);
      for (const example of row.examples) expect(example).toMatch(new RegExp(`^-?${row.name}:`));
    }
  });
});

describe("the cheat sheet", () => {
  it("has every meta-tag, every spelling of it and every order", () => {
    const text = cheatSheet();
    for (const name of metatagNames()) expect(text).toMatch(new RegExp(`\`${name}:?\``));
    for (const { names } of ORDERS) expect(text).toContain(`\`${names[0]?.replace(/_asc$/, "")}\``);
  });

  it("starts with meaningful searches", () => {
    for (const [text] of FIRST_STEPS) expect(parse(text).query.type).not.toBe("none");
  });
});
