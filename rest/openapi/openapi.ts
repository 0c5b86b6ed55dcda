/**
 * The REST interface as an OpenAPI 3.1 document, generated from the rows, their documents and the schema, so that it can't
 * differ from them. Every row is two paths, `.json` and `.xml`, with the same components.
 */
import { getNamedType, type GraphQLSchema } from "graphql";
import { lowerFirst } from "../../src/lib/case.js";
import { creating, type ResourceRow } from "../adapter/row.js";
import type { Format } from "../adapter/envelope.js";
import { bodyOf } from "./bodies.js";
import { FAILURE_SCHEMAS, failureResponses, FORMATS } from "./failures.js";
import { type Facts, infoOf } from "./info.js";
import { lookUp, type Operation } from "./operation.js";
import { COMMON_PARAMETERS, parametersOf } from "./parameters.js";
import { HEADERS, responsesOf, SUCCESS_SCHEMAS } from "./responses.js";
import { Components, description, respelled, summaryOf, toPascal, toTitle } from "./schema.js";
import { accessText, SECURITY_SCHEMES, securityOf } from "./security.js";

/**
 * @param facts settings of the board that the text mentions
 * @throws TypeError for a row whose document has no field of the schema
 */
export function openApi(schema: GraphQLSchema, rows: readonly ResourceRow[], facts: Facts) {
  const components = new Components();
  for (const [name, each] of Object.entries({ ...SUCCESS_SCHEMAS, ...FAILURE_SCHEMAS })) components.add(each, name);
  const operations = rows.map((row) => lookUp(schema, row));
  const paths = pathsOf(operations, creating(rows), facts, components);
  return {
    openapi: "3.1.0",
    info: infoOf(facts),
    servers: [{ url: facts.PUBLIC_URL ?? "/" }],
    tags: tagsOf(schema, operations),
    paths,
    components: {
      schemas: components.schemas,
      parameters: COMMON_PARAMETERS,
      headers: HEADERS,
      responses: failureResponses(),
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

/** The path of a row in a format: `/posts/{id}.json`. */
const pathOf = ({ path }: ResourceRow, format: Format): string => `${path.replace(/:(\w+)/g, "{$1}")}.${format}`;

function pathsOf(
  operations: readonly Operation[],
  isCreate: (row: ResourceRow) => boolean,
  facts: Facts,
  components: Components,
) {
  const paths: Record<string, Record<string, ReturnType<typeof describe>>> = {};
  const ids = new Set<string>();
  for (const operation of operations) {
    const { row } = operation;
    for (const format of FORMATS) {
      const described = describe(operation, { isCreate: isCreate(row), format, facts, components });
      described.operationId = unique(described.operationId, ids);
      (paths[pathOf(row, format)] ??= {})[row.method.toLowerCase()] = described;
    }
  }
  return paths;
}

interface Circumstances {
  isCreate: boolean;
  format: Format;
  facts: Facts;
  components: Components;
}

function describe(operation: Operation, { isCreate, format, facts, components }: Circumstances) {
  const text = respelled(operation.root.description);
  const parameters = parametersOf(operation, components);
  const body = bodyOf(operation, components);
  return {
    operationId: operationId(operation, format),
    tags: [tagOf(operation)],
    summary: summaryOf(text),
    description: `${text} ${accessText(operation)}`.trim(),
    security: securityOf(operation, facts.REQUIRE_LOGIN),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: body } : {}),
    responses: responsesOf(operation, isCreate, format, components),
  };
}

const operationId = ({ name }: Operation, format: Format): string =>
  `${lowerFirst(name)}${format === "xml" ? "Xml" : ""}`;

/** Makes ids unique, since two rows may have the same document. */
function unique(id: string, taken: Set<string>): string {
  let name = id;
  for (let count = 2; taken.has(name); count += 1) name = `${id}${count}`;
  taken.add(name);
  return name;
}

const tagOf = ({ row }: Operation): string => toTitle(row.plural);

/** A tag for each resource, with the description of the first record that one of its rows reads; without such a row, of its type. */
function tagsOf(schema: GraphQLSchema, operations: Operation[]): { name: string; description?: string }[] {
  const names = [...new Set(operations.map(tagOf))];
  return names.map((name) => {
    const own = operations.filter((operation) => tagOf(operation) === name);
    const read = own.find(({ isMutation }) => !isMutation);
    const type = read ? getNamedType(read.recordType) : schema.getType(toPascal(own[0]?.row.resource ?? ""));
    return { name, ...description(type?.description) };
  });
}
