/**
 * The pattern of a request's path, out of the patterns that there are: what requests are counted and named by. It is found
 * from method and path alone, so that what is refused before it comes to its row has its name too.
 */

/** Requests of one method and pattern; there is one object for each, which may serve as a key. */
export interface Route {
  readonly method: string;
  /** `/posts/:id`, or `unmatched` */
  readonly path: string;
}

/** A path that is answered. */
export interface Pattern {
  method: string;
  /** `:id` and its like are numbers; a path that ends in `/*` stands for all that begin so */
  path: string;
  /** whether a name may stand in the place of the last number */
  takesName?: boolean;
}

/** Methods that are told apart where the path is unknown; a caller may invent more. */
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const UNMATCHED = "unmatched";

/** The path of a URL as the request line has it, without the query. */
const pathOf = (url: string): string => {
  const end = url.indexOf("?");
  return end < 0 ? url : url.slice(0, end);
};

/** Stands for a number: no path of a request has a blank in it. */
const NUMBER = "/ ";

const withoutFormat = (path: string): string => path.replace(/\.(?:json|xml)$/, "");

/** `/posts/12/votes.json` -> `/posts/ /votes` */
const normalised = (path: string): string => withoutFormat(path).replace(/\/\d+(?=\/|$)/g, NUMBER);

const withoutLast = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1);

export class Routes {
  /** by method and path, with `NUMBER` for each number */
  private readonly exact = new Map<string, Route>();
  private readonly named = new Map<string, Route>();
  private readonly prefixes: Route[] = [];
  private readonly unmatched = new Map(METHODS.map((method) => [method, { method, path: UNMATCHED }]));
  private readonly odd: Route = { method: "OTHER", path: UNMATCHED };

  constructor(patterns: Iterable<Pattern>) {
    for (const pattern of patterns) for (const method of methodsOf(pattern.method)) this.add({ ...pattern, method });
  }

  private add({ method, path, takesName }: Pattern): void {
    const route: Route = { method, path };
    if (path.endsWith("/*")) return void this.prefixes.push(route);
    const key = `${method} ${withoutFormat(path).replace(/\/:\w+/g, NUMBER)}`;
    if (!this.exact.has(key)) this.exact.set(key, route);
    if (takesName) this.named.set(withoutLast(key), route);
  }

  /** @param url as the request line has it */
  of(method: string, url: string): Route {
    const path = pathOf(url);
    const key = `${method} ${normalised(path)}`;
    return (
      this.exact.get(key) ??
      this.named.get(withoutLast(key)) ??
      this.prefixes.find((route) => route.method === method && path.startsWith(route.path.slice(0, -1))) ??
      this.unmatched.get(method) ??
      this.odd
    );
  }
}

/** What else a path with this method is asked by: its head, or what may be asked at all; PATCH is PUT. */
function methodsOf(method: string): string[] {
  if (method === "GET") return ["GET", "HEAD", "OPTIONS"];
  return method === "PUT" ? ["PUT", "PATCH", "OPTIONS"] : [method, "OPTIONS"];
}
