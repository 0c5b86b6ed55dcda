/** Random GraphQL queries around posts, drawn from the schema: aliases, fragments, directives, and fields that are selected twice. */
import {
  getNamedType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLSchema,
  isEnumType,
  isLeafType,
  isNonNullType,
  isObjectType,
} from "graphql";

type Field = GraphQLField<unknown, unknown>;

/** What arguments are drawn from, by their names; others get a small number, a truth value or a name of their enum. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  first: ["1", "2", "5", "100"],
  tags: ['""', '"order:score"', '"status:any"', '"sea"', '"-rating:e order:favcount"', '"parent:any"'],
  page: ['"1"', '"2"', '"b9"', '"a3"'],
};
/** Arguments that are usually given, though they need not be. */
const USUAL = new Set(["first", "tags"]);
/** Names of fields in the response: some that the board's own code uses, and some that every object has. */
const ALIASES = ["stamp", "stamps", "posts", "nodes", "id", "length", "then", "constructor", "toString", "record"];
/** Random by themselves, or about more than the posts. */
const EXCLUDED = new Set(["randomPost", "recentSearches", "board"]);
const DEPTH = 3;

export class RandomQueries {
  private fragments: string[] = [];
  private readonly roots: readonly Field[];

  /** @param random a number from 0 to 1, exclusive */
  constructor(
    schema: GraphQLSchema,
    private readonly random: () => number,
  ) {
    const fields = Object.values(schema.getQueryType()?.getFields() ?? {});
    this.roots = fields.filter(({ name, type }) => !EXCLUDED.has(name) && /^Post(Connection)?$/.test(nameOf(type)));
  }

  /** A query with the variables `$yes` and `$no`, which are true and false by default. It may select conflicting fields, and be refused. */
  next(): string {
    this.fragments = [];
    const fields = Array.from({ length: 1 + this.below(2) }, () => this.field(this.oneOf(this.roots), DEPTH));
    const text = [`{ ${fields.join(" ")} }`, ...this.fragments].join("\n");
    const variables = ["$yes: Boolean = true", "$no: Boolean = false"].filter((each) =>
      text.includes(each.slice(0, 3)),
    );
    return variables.length > 0 ? `query(${variables.join(", ")}) ${text}` : text;
  }

  private below = (number: number): number => Math.floor(this.random() * number);
  private oneOf = <T>(items: readonly T[]): T => items[this.below(items.length)] as T;
  private isRare = (share: number): boolean => this.random() < share;

  private field(field: Field, depth: number): string {
    const alias = this.isRare(0.1) ? `${this.oneOf(ALIASES)}: ` : "";
    const directive = this.isRare(0.05)
      ? ` @${this.oneOf(["include", "skip"])}(if: ${this.oneOf(["$yes", "$no"])})`
      : "";
    const type = getNamedType(field.type);
    const selection = isObjectType(type) ? ` { ${this.selection(type, depth - 1)} }` : "";
    return `${alias}${field.name}${this.given(field.args)}${directive}${selection}`;
  }

  private given(all: readonly GraphQLArgument[]): string {
    const isGiven = ({ name, type }: GraphQLArgument) =>
      isNonNullType(type) || this.isRare(USUAL.has(name) ? 0.7 : name in VALUES ? 0.2 : 0);
    const given = all.filter(isGiven).map(({ name, type }) => `${name}: ${this.value(name, type)}`);
    return given.length > 0 ? `(${given.join(", ")})` : "";
  }

  private value(name: string, type: GraphQLInputType): string {
    const named = getNamedType(type);
    if (isEnumType(named)) return this.oneOf(named.getValues()).name;
    if (named.name === "Boolean") return this.oneOf(["true", "false"]);
    return this.oneOf(VALUES[name] ?? ["1", "2", "3", "7"]);
  }

  private selection(type: GraphQLObjectType, depth: number): string {
    const fields = Object.values(type.getFields()).filter(({ args }) => !args.some(isUnknown));
    const leaves = fields.filter((field) => isLeafType(getNamedType(field.type)));
    const objects = fields.filter((field) => isObjectType(getNamedType(field.type)));
    const posts = objects.filter((field) => /^Post(Connection|Edge)?$/.test(nameOf(field.type)));
    const selected = Array.from({ length: 1 + this.below(4) }, () => (leaves.length > 0 ? this.oneOf(leaves) : null));
    if (depth > 0 && posts.length > 0) selected.push(this.oneOf(posts));
    if (depth > 0 && objects.length > 0 && this.isRare(0.4)) selected.push(this.oneOf(objects));
    const texts = selected.flatMap((field) => (field ? this.field(field, depth) : []));
    const again = selected.find((field) => field && field.args.length === 0 && !isLeafType(getNamedType(field.type)));
    if (again && this.isRare(0.3)) texts.push(this.field(again, 1));
    if (texts.length === 0 || this.isRare(0.2)) texts.push("__typename");
    return this.isRare(0.2) ? this.inFragment(type, texts) : texts.join(" ");
  }

  /** Some of the fields in a fragment, inline or named, which may be spread twice. */
  private inFragment(type: GraphQLObjectType, texts: string[]): string {
    const moved = texts.splice(this.below(texts.length)).join(" ");
    if (this.isRare(0.4)) return [...texts, `... on ${type.name} { ${moved} }`].join(" ");
    const name = `Fragment${this.fragments.length}`;
    this.fragments.push(`fragment ${name} on ${type.name} { ${moved} }`);
    return [...texts, ...(this.isRare(0.3) ? [`...${name}`, `...${name}`] : [`...${name}`])].join(" ");
  }
}

const nameOf = (type: Field["type"]): string => getNamedType(type).name;

/** An argument that has to be given and for which there is no value to draw. */
const isUnknown = ({ name, type }: GraphQLArgument): boolean => {
  const named = getNamedType(type);
  return isNonNullType(type) && !(name in VALUES) && !isEnumType(named) && !["Int", "Boolean"].includes(named.name);
};
