/**
 * An operation of the GraphQL multipart request specification: the fields `operations` and `map`, and the files that `map`
 * names. A path of the map leads from `variables` through own properties of plain objects and arrays to an existing null.
 */
import {
  type DocumentNode,
  getNullableType,
  getOperationAST,
  type GraphQLInputType,
  type GraphQLSchema,
  isInputObjectType,
  isListType,
  isNamedType,
  parse,
  typeFromAST,
} from "graphql";
import { failure } from "../../src/errors.js";
import { parseJson } from "../../src/lib/json.js";
import type { ReceivedFile } from "../../src/resources/uploads/media-ingest.js";
import { MAX_DOCUMENT_LENGTH, MAX_TOKENS } from "./admission.js";
import { fileFieldsOf, isFile, type RootField, toUpload } from "./file-fields.js";

const MAX_PATHS = 10;
const MAX_STEPS = 10;
/** GraphQL names, except those with two underscores, which are reserved; and indexes of lists. */
const STEP = /^(?:(?!__)[A-Za-z_]\w{0,99}|0|[1-9]\d{0,4})$/;

type Container = Record<string, unknown>;

interface Place {
  /** the variable's name, and the path within it */
  steps: readonly string[];
  container: Container;
  key: string;
}

export class MultipartOperation {
  private constructor(
    /** the operation, without its files */
    private readonly body: Container,
    /** by the names of the files */
    private readonly places: ReadonlyMap<string, readonly Place[]>,
  ) {}

  /** @throws BoardError 424 for missing or invalid fields */
  static read(fields: readonly (readonly [name: string, value: string])[]): MultipartOperation {
    const named = new Map(fields);
    const body = parseObject(named.get("operations"));
    const map = parseObject(named.get("map"));
    return new MultipartOperation(body, placesOf(body, map));
  }

  /** The root fields that use a file of this name; none if the operation does not use it. */
  fileFields(schema: GraphQLSchema, name: string): RootField[] {
    const places = this.places.get(name) ?? [];
    const document = this.document();
    const isTaken = document && places.some(({ steps }) => leadsToFile(schema, document, this.operationName, steps));
    return isTaken ? fileFieldsOf(schema, document, this.operationName) : [];
  }

  /**
   * The operation with its files in their places.
   * @param files null for discarded ones, whose places stay null
   * @throws BoardError 424 if the map names a file that is missing
   */
  withFiles(files: readonly { name: string; received: ReceivedFile | null }[]): Container {
    for (const [name, places] of this.places) {
      const file = files.find((each) => each.name === name);
      if (!file) throw failure("malformed_body");
      const value = file.received && toUpload(file.received);
      for (const { container, key } of places) container[key] = value;
    }
    return this.body;
  }

  private get operationName(): string | undefined {
    const { operationName } = this.body;
    return typeof operationName === "string" ? operationName : undefined;
  }

  /** Null if it can't be parsed; running it reports the error. */
  private document(): DocumentNode | null {
    const { query } = this.body;
    if (typeof query !== "string" || query.length > MAX_DOCUMENT_LENGTH) return null;
    try {
      return parse(query, { maxTokens: MAX_TOKENS });
    } catch {
      return null;
    }
  }
}

function parseObject(text: string | undefined): Container {
  const value = parseJson(text ?? "");
  if (!isPlain(value)) throw failure("malformed_body");
  return value;
}

const isPlain = (value: unknown): value is Container =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;

function placesOf(body: Container, map: Container): Map<string, Place[]> {
  const lists = Object.entries(map);
  const places = new Map<string, Place[]>();
  let count = 0;
  for (const [name, paths] of lists) {
    if (!Array.isArray(paths)) throw failure("malformed_body");
    count += Math.max(1, paths.length);
    if (count > MAX_PATHS) throw failure("too_many_parameters");
    places.set(
      name,
      paths.map((path) => placeOf(body, path)),
    );
  }
  return places;
}

function placeOf(body: Container, path: unknown): Place {
  const [root, ...steps] = typeof path === "string" ? path.split(".", MAX_STEPS + 2) : [];
  const key = steps.at(-1);
  const isSound = root === "variables" && steps.length <= MAX_STEPS && steps.every((step) => STEP.test(step));
  if (!isSound || key === undefined) throw failure("malformed_body");
  let container: unknown = ownOf(body, "variables");
  for (const step of steps.slice(0, -1)) container = ownOf(container, step);
  if (ownOf(container, key) !== null) throw failure("malformed_body");
  return { steps, container: container as Container, key };
}

/** @throws BoardError 424 unless it is an own property of a plain object or array */
function ownOf(container: unknown, key: string): unknown {
  const isHolder = isPlain(container) || (Array.isArray(container) && /^\d+$/.test(key));
  if (!isHolder || !Object.hasOwn(container, key)) throw failure("malformed_body");
  return (container as Container)[key];
}

/** Whether the operation declares a file at this path. */
function leadsToFile(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
  [variable, ...steps]: readonly string[],
): boolean {
  const { variableDefinitions = [] } = getOperationAST(document, operationName) ?? {};
  const declared = variableDefinitions.find(({ variable: { name } }) => name.value === variable);
  const type = declared && (typeFromAST(schema, declared.type) as GraphQLInputType | undefined);
  return type !== undefined && isFileAt(type, steps);
}

function isFileAt(type: GraphQLInputType, [step, ...rest]: readonly string[]): boolean {
  const nullable = getNullableType(type);
  if (step === undefined) return isNamedType(nullable) && isFile(nullable);
  if (isListType(nullable)) return /^\d+$/.test(step) && isFileAt(nullable.ofType, rest);
  const field = isInputObjectType(nullable) ? nullable.getFields()[step] : undefined;
  return field !== undefined && isFileAt(field.type, rest);
}
