/**
 * Finds the rows and the pipeline of a path, by a map of the shapes of paths: `/posts/12/votes` and `/posts/34/votes` have the
 * same one. It also names requests in metrics, log and traces, including those refused before they reach their row.
 */
import type { Format } from "../../rest/adapter/envelope.js";
import type { Params } from "../../rest/adapter/params.js";
import type { ResourceRow } from "../../rest/adapter/row.js";
import { failure } from "../errors.js";
import type { Route } from "../runtime/telemetry/metrics.js";
import { decodeUri } from "../lib/text.js";
import { MAX_INT } from "../lib/integers.js";
import { getOrMake } from "../lib/get-or-make.js";

/** The pipeline that serves a path; `site` serves pages, files and reference, and then the rows. */
export type PipelineName = "rest" | "graphql" | "service" | "site";

const READ = ["GET", "HEAD", "OPTIONS"];

/** All paths outside of the REST interface. `/*` at the end matches any rest. */
const FIXED: readonly { path: string; pipeline: PipelineName; methods: readonly string[] }[] = [
  { path: "/graphql", pipeline: "graphql", methods: [...READ, "POST"] },
  { path: "/data/*", pipeline: "site", methods: READ },
  { path: "/openapi.json", pipeline: "site", methods: READ },
  { path: "/docs", pipeline: "site", methods: READ },
  { path: "/docs/*", pipeline: "site", methods: READ },
  { path: "/healthz", pipeline: "service", methods: READ },
  { path: "/readyz", pipeline: "service", methods: READ },
  { path: "/metrics", pipeline: "service", methods: READ },
];

/** Whether GraphQL is served at a path: requests and WebSockets alike. */
export const isGraphQL = (path: string): boolean => /^\/graphql(?:\/|$)/i.test(path);

/** Methods that are distinguished on unknown paths; all others count as one. */
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const UNMATCHED = "unmatched";

export interface Destination {
  pipeline: PipelineName;
  /** the methods of the path; none of an unknown one */
  methods: () => string[];
  /** by method */
  routeOf: (method: string) => Route;
  /** rows of the path, whatever their methods, in the order of the table */
  rows: readonly ResourceRow[];
  /** The ids that the path has for a row. @throws BoardError 424 for a name that can't be decoded */
  idsOf: (row: ResourceRow) => Params;
  /** the extension; null without one */
  format: Format | null;
}

/** The rows of one shape, and the patterns of its methods. */
interface Place {
  rows: ResourceRow[];
  patterns: Map<string, string>;
}

/** Placeholder of a name. */
const NAME = "  ";

/** The methods of a row: GET implies HEAD, PUT implies PATCH, and all have OPTIONS. */
function methodsOf(method: string): readonly string[] {
  if (method === "GET") return READ;
  return method === "PUT" ? ["PUT", "PATCH", "OPTIONS"] : [method, "OPTIONS"];
}

/** Placeholder of a number: no path of a request contains a space. */
const NUMBER = " ";

interface Shape {
  text: string;
  /** null if it can't be decoded */
  numbers: (string | null)[];
}

/** The shape of the segments of a path as received, and its numbers. */
function shapeOf(segments: readonly string[]): Shape {
  const numbers: Shape["numbers"] = [];
  const shape = segments.map((segment) => {
    const text = segment.includes("%") ? decodeUri(segment) : segment;
    if (text !== null && !/^\d+$/.test(text)) return segment;
    numbers.push(Number(text) <= MAX_INT ? text : "-1"); // which no record has
    return NUMBER;
  });
  return { text: shape.join("/"), numbers };
}

const EXTENSION = /\.(json|xml)$/;

export class Router {
  private readonly places = new Map<string, Place>();
  /** rows that accept a name, by their shape with its placeholder */
  private readonly named = new Map<string, Place>();
  private readonly fixed = new Map<string, Destination>();
  private readonly prefixes: [prefix: string, destination: Destination][] = [];
  private readonly nowhere = this.destination("site", { rows: [], patterns: new Map() });

  /** the number of segments of the longest path of a row */
  private readonly most: number;

  constructor(rows: readonly ResourceRow[]) {
    this.most = Math.max(...rows.map(({ path }) => path.split("/").length));
    for (const row of rows) {
      const shape = row.path.replace(/:\w+/g, NUMBER);
      this.add(this.places, shape, row);
      if (row.idOr !== undefined) this.add(this.named, row.path.replace(":id", NAME), row);
    }
    for (const { path, pipeline, methods } of FIXED) {
      const patterns = new Map(methods.map((method) => [method, path]));
      const destination = this.destination(pipeline, { rows: [], patterns });
      if (path.endsWith("/*")) this.prefixes.push([path.slice(0, -1), destination]);
      else this.fixed.set(path, destination);
    }
  }

  private add(places: Map<string, Place>, shape: string, row: ResourceRow): void {
    const place = getOrMake(places, shape, () => ({ rows: [], patterns: new Map() }));
    place.rows.push(row);
    for (const method of methodsOf(row.method)) if (!place.patterns.has(method)) place.patterns.set(method, row.path);
  }

  /** @param path of the URL in the request line, without the query */
  find(path: string): Destination {
    const fixed = this.fixed.get(path) ?? this.fixedAt(path);
    if (fixed) return fixed;
    const extension = EXTENSION.exec(path);
    const asked = extension && this.rowsAt(path.slice(0, extension.index), extension[1] as Format);
    return asked ?? this.rowsAt(path, null) ?? this.nowhere;
  }

  /** A fixed path with a trailing slash, `/graphql` in any case, or a path below a prefix. */
  private fixedAt(path: string): Destination | undefined {
    if (isGraphQL(path)) return this.fixed.get("/graphql");
    const prefixed = this.prefixes.find(([prefix]) => path.length > prefix.length && path.startsWith(prefix))?.[1];
    return prefixed ?? (path.endsWith("/") ? this.fixed.get(path.slice(0, -1)) : undefined);
  }

  private rowsAt(path: string, format: Format | null): Destination | null {
    const segments = path.split("/", this.most + 1);
    if (segments.length > this.most) return null; // decoding thousands would take long
    const { text, numbers } = shapeOf(segments);
    const place = this.places.get(text);
    const pipeline = format === null ? "site" : "rest";
    if (place) return this.destination(pipeline, place, format, (row) => numbered(row, numbers));
    for (const at of [segments.length - 1, segments.length - 2]) {
      const name = segments[at] ?? "";
      const named = name === "" ? undefined : this.named.get(segments.with(at, NAME).join("/"));
      if (named) return this.destination(pipeline, named, format, (row) => withName(row, name));
    }
    return null;
  }

  private destination(
    pipeline: PipelineName,
    { rows, patterns }: Place,
    format: Format | null = null,
    idsOf: Destination["idsOf"] = () => ({}),
  ): Destination {
    const routeOf = (method: string): Route => {
      const path = patterns.get(method) ?? UNMATCHED;
      return { method: path === UNMATCHED && !METHODS.includes(method) ? "OTHER" : method, path };
    };
    return { pipeline, methods: () => [...patterns.keys()], rows, format, routeOf, idsOf };
  }
}

/** The ids of a path; of the id and the name that may replace it, the unused one is undefined. */
function numbered(row: ResourceRow, numbers: Shape["numbers"]): Params {
  if (numbers.includes(null)) throw failure("invalid_parameter", { parameter: "path" });
  const ids: Params = row.idOr ? { id: undefined, [row.idOr]: undefined } : {};
  for (const [index, [, name = ""]] of [...row.path.matchAll(/:(\w+)/g)].entries()) ids[name] = numbers[index];
  return ids;
}

/** The name of a path in place of its only number. */
function withName(row: ResourceRow, segment: string): Params {
  const name = decodeUri(segment);
  if (name === null) throw failure("invalid_parameter", { parameter: "path" });
  return { id: undefined, [row.idOr ?? "id"]: name };
}
