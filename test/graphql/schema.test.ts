/** Rules that every element of the schema must follow, including future ones. */
import { readFileSync } from "node:fs";
import {
  getNamedType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  isEnumType,
  isInputObjectType,
  isNonNullType,
  isObjectType,
  lexicographicSortSchema,
  printSchema,
} from "graphql";
import { describe, expect, it } from "vitest";
import { Level } from "../../src/runtime/auth/levels.js";
import { ACTIONS } from "../../src/runtime/limits/actions.js";
import { sharedSchema } from "../../src/http/server.js";

const schema = sharedSchema();
const BUILT_IN = new Set(["Boolean", "Float", "ID", "Int", "String"]);

const types: GraphQLNamedType[] = Object.values(schema.getTypeMap()).filter(
  (type) => !type.name.startsWith("__") && !BUILT_IN.has(type.name),
);
const query = schema.getQueryType() as GraphQLObjectType;
const mutation = schema.getMutationType() as GraphQLObjectType;

type Field = GraphQLField<unknown, unknown>;
const fieldsOf = (type: GraphQLNamedType): Field[] => (isObjectType(type) ? Object.values(type.getFields()) : []);
const mutations = fieldsOf(mutation);
const rootFields = [...fieldsOf(query), ...mutations];

interface Element {
  path: string;
  name: string;
  description: string | null | undefined;
}

const fields: Element[] = types.flatMap((type) =>
  fieldsOf(type).map((field) => ({ ...field, path: `${type.name}.${field.name}` })),
);
const args: Element[] = types.flatMap((type) =>
  fieldsOf(type).flatMap((field) =>
    field.args.map((arg: GraphQLArgument) => ({ ...arg, path: `${type.name}.${field.name}(${arg.name})` })),
  ),
);
const inputFields: Element[] = types.flatMap((type) =>
  isInputObjectType(type)
    ? Object.values(type.getFields()).map((field) => ({ ...field, path: `${type.name}.${field.name}` }))
    : [],
);
const enumValues: Element[] = types.flatMap((type) =>
  isEnumType(type) ? type.getValues().map((value) => ({ ...value, path: `${type.name}.${value.name}` })) : [],
);

const offenders = (elements: readonly Element[], isRight: (element: Element) => boolean): string[] =>
  elements.filter((element) => !isRight(element)).map((element) => element.path);

describe("the schema", () => {
  it("describes every type", () => {
    expect(types.filter((type) => !type.description?.trim()).map((type) => type.name)).toEqual([]);
  });

  it.each([
    ["field", fields],
    ["argument", args],
    ["input field", inputFields],
    ["enum value", enumValues],
  ])("describes every %s", (_kind, elements) => {
    expect(elements.length).toBeGreaterThan(10);
    expect(offenders(elements, ({ description }) => Boolean(description?.trim()))).toEqual([]);
  });

  it("ends every description with punctuation", () => {
    const all = [...fields, ...args, ...inputFields, ...enumValues];
    expect(offenders(all, ({ description }) => /[.)`]$/.test(description?.trim() ?? ""))).toEqual([]);
  });

  it("declares who may call each root field", () => {
    const levels = Object.keys(Level).map((name) => name.toLowerCase());
    const known = new Set<unknown>(["public", ...levels]);
    expect(rootFields.filter((field) => !known.has(field.extensions.access)).map((field) => field.name)).toEqual([]);
  });

  it("equals schema.graphql", () => {
    const committed = readFileSync("graphql/schema.graphql", "utf8").replace(/^#[^\n]*\n\n/, "");
    expect(committed).toBe(`${printSchema(lexicographicSortSchema(schema))}\n`);
  });
});

describe("names", () => {
  it("of types are PascalCase", () => {
    const wrong = types.filter(({ name }) => !/^[A-Z][A-Za-z0-9]*$/.test(name));
    expect(wrong.map((type) => type.name)).toEqual([]);
  });

  it("of fields, arguments and input fields are camelCase", () => {
    const all = [...fields, ...args, ...inputFields];
    expect(offenders(all, ({ name }) => /^[a-z][A-Za-z0-9]*$/.test(name))).toEqual([]);
  });

  it("of enum values are SCREAMING_SNAKE_CASE", () => {
    expect(offenders(enumValues, ({ name }) => /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(name))).toEqual([]);
  });

  it("of inputs say what they are for", () => {
    const inputs = types.filter(isInputObjectType).map((type) => type.name);
    expect(inputs.filter((name) => !/(Input|Search)$/.test(name))).toEqual([]);
  });
});

/** From Builder on, levels are given by hand. */
const STAFF = ["builder", "contributor", "janitor", "moderator", "admin"];

describe("mutations", () => {
  /** what they do is known without: the dmails to mark are the viewer's own, and so is the session to end by default */
  const INPUTS: Record<string, RegExp> = {
    deleteAllSessions: /^input: DeleteAllSessionsInput$/,
    deleteSession: /^input: DeleteSessionInput$/,
    markAllDmailsAsRead: /^$/,
  };

  it.each(mutations.map((field) => [field.name, field] as const))(
    "%s has one input and a nullable payload",
    (name, field) => {
      expect(String(field.type)).toMatch(/^[A-Z]\w*Payload$/); // where it is refused, the others of the request keep their answers
      const inputs = field.args.map((arg) => `${arg.name}: ${String(arg.type)}`).join();
      expect(inputs).toMatch(INPUTS[name] ?? /^input: [A-Z]\w*Input!$/);
    },
  );

  it("have an hourly limit, another limit, or a high minimum level", () => {
    const LIMITED_BY_ROWS = ["createComment", "createPostAppeal", "createPostFlag", "createUpload"];
    const OWN_ACCOUNT =
      /^(create|delete|update|change|close|rotate|recover)\w*(Account|ApiKey|Password|Session|Sessions|Settings|User)$/;
    const OWN_DMAIL = ["deleteDmail", "markAllDmailsAsRead", "readDmail", "updateDmail"];
    const isForFew = ({ extensions }: Field) => STAFF.includes(String(extensions.access));
    const isExcused = (field: Field) =>
      [...LIMITED_BY_ROWS, ...OWN_DMAIL].includes(field.name) || OWN_ACCOUNT.test(field.name) || isForFew(field);
    const open = mutations.filter((field) => !isExcused(field) && !(String(field.extensions.limited) in ACTIONS));
    expect(open.map((field) => field.name)).toEqual([]);
  });

  it("begin with a verb", () => {
    const verbs =
      /^(create|update|change|rotate|close|recover|delete|undelete|revert|add|remove|request|approve|disapprove|reject|ban|unban|lock|unlock|expunge|mark|move|read|copy)[A-Z]/;
    expect(mutations.filter((field) => !verbs.test(field.name)).map((field) => field.name)).toEqual([]);
  });
});

describe("lists", () => {
  const connections = types.filter((type) => isObjectType(type) && type.name.endsWith("Connection"));
  const signature = (field: Field): string => `${field.name}: ${String(field.type)}`;

  it.each(connections.map((type) => [type.name, type] as const))("%s has the fields of connections", (name, type) => {
    const node = name.replace(/Connection$/, "");
    expect(fieldsOf(type).map(signature).sort()).toEqual(
      [
        `nodes: [${node}!]!`,
        `edges: [${node}Edge!]!`,
        "pageInfo: PageInfo!",
        "totalCount: Int!",
        "isTotalCountEstimate: Boolean!",
        ...(node === "Post" ? ["tags: [PageTag!]!", "hints: [SearchHint!]!", "pool: Pool"] : []),
      ].sort(),
    );
    expect(fieldsOf(schema.getType(`${node}Edge`) as GraphQLObjectType).map(signature)).toEqual([
      "cursor: String!",
      `node: ${node}!`,
    ]);
  });

  it("are paged by first, after and page, and cost what their pages may return", () => {
    const lists = rootFields.filter((field) => getNamedType(field.type).name.endsWith("Connection"));
    expect(new Set(lists.map((list) => getNamedType(list.type).name)).size).toBe(connections.length);
    for (const list of lists) {
      const paging = list.args.map((arg) => arg.name).filter((name) => /^(first|after|page)$/.test(name));
      expect([list.name, paging.sort()]).toEqual([list.name, ["after", "first", "page"]]);
      expect([list.name, typeof list.extensions.complexity]).toEqual([list.name, "function"]);
    }
  });
});

describe("lists within records", () => {
  const isPage = (type: GraphQLNamedType): boolean => /(Connection|Edge)$/.test(type.name);
  const leadsOn = (type: GraphQLNamedType): boolean =>
    fieldsOf(type).some((field) => isObjectType(getNamedType(field.type)));

  it("cost what they may return if their records have further records", () => {
    const free = types
      .filter((type) => !isPage(type))
      .flatMap((type) => fieldsOf(type).map((field) => ({ field, path: `${type.name}.${field.name}` })))
      .filter(({ field }) => String(field.type).startsWith("[") && leadsOn(getNamedType(field.type)))
      .filter(({ field }) => typeof field.extensions.complexity !== "function");
    expect(free.map(({ path }) => path)).toEqual([]);
  });
});

describe("records", () => {
  const records = types.filter((type) => isObjectType(type) && "id" in type.getFields());

  it("have a non-null integer id", () => {
    const ids = records.map((type) => String(fieldsOf(type).find((field) => field.name === "id")?.type));
    expect(new Set(ids)).toEqual(new Set(["Int!"]));
  });

  it("have nullable relations, so that a missing record leaves the rest", () => {
    const names = new Set(records.map((type) => type.name));
    const isRelation = (field: Field) => isNonNullType(field.type) && names.has(String(field.type.ofType));
    const wrong = records.flatMap((type) =>
      fieldsOf(type)
        .filter(isRelation)
        .map((f) => `${type.name}.${f.name}`),
    );
    expect(wrong).toEqual([]);
  });
});
