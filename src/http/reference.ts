/**
 * Pages that are the same for everybody, so they are served before requests are counted: the reference of the REST interface, and GraphiQL.
 * Each is generated on first use, compressed once per encoding, and kept.
 */
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import etag from "etag";
import { opensExplorer, readExplorer } from "../../graphql/explorer/explorer.js";
import type { ReferenceFile } from "../../rest/openapi/reference-files.js";
import { EncodedBody, PackedBody } from "./encoding.js";
import type { Answer } from "./exchange.js";
import type { Handler } from "./site.js";
import { getOrMake } from "../lib/get-or-make.js";
import { untilFound } from "../lib/until-found.js";

/** Responds with the page of the path, if there is one. */
export function reference(files: readonly ReferenceFile[]): Handler {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const bodies = new Map<ReferenceFile, EncodedBody>();

  const bodyOf = (file: ReferenceFile): EncodedBody =>
    getOrMake(bodies, file, () => {
      const bytes = file.make();
      const isPicture = file.headers["Content-Type"]?.startsWith("image/"); // compressed already
      return new EncodedBody(bytes, etag(bytes, { weak: true }), !isPicture);
    });

  return async (exchange) => {
    const file = byPath.get(exchange.path.replace(/\/$/, ""));
    if (!file) return null;
    await exchange.beginWork();
    return { status: 200, headers: { ...file.headers }, body: bodyOf(file) };
  };
}

/** Responds to browsers that open `/graphql` with GraphiQL. */
export function explorer(): Handler {
  const page = untilFound(async (): Promise<Answer> => {
    const { gzipped, headers } = await readExplorer();
    let whole: Promise<Buffer> | undefined;
    const unzip = () => (whole ??= promisify(gunzip)(gzipped));
    return { status: 200, headers, body: new PackedBody(unzip, { gzip: gzipped }, etag(gzipped, { weak: true })) };
  });
  return async (exchange) => {
    const { path, query, request } = exchange;
    if (!opensExplorer(path, query ?? "", request.headers.accept)) return null;
    exchange.vary = "Accept";
    await exchange.beginWork();
    return page();
  };
}
