/** The steps of pages: the same admission and execution of documents as for every request. */
import etag from "etag";
import { byHash } from "../../graphql/known-operations.js";
import { withValues } from "../../graphql/shared/answered.js";
import type { Asset } from "../../web/server/assets.js";
import { type PageAnswer, type PageRequest, Pages } from "../../web/server/serve.js";
import type { Board } from "../board.js";
import { PackedBody } from "./encoding.js";
import type { Answer, Exchange, Step } from "./exchange.js";
import { refused } from "./failures.js";
import type { Operations } from "./graphql.js";
import { contextOf } from "./request-context.js";
import { rowOf } from "./rest.js";
import type { Handler } from "./site.js";
import { NO_CORS } from "./static-headers.js";
import { admit } from "./admission.js";
import { getOrMake } from "../lib/get-or-make.js";

/** `open`: files of the pages, and pages that browsers open; `missing`: a 404 page, for browsers. */
export function pageSteps(
  board: Board,
  { apollo, known }: Pick<Operations, "apollo" | "known">,
): { open: Handler; missing: Step } {
  const pages = new Pages({
    config: board.config,
    async execute({ hash, text: query }, variables, contextValue) {
      const answered = await known.answer(byHash(hash, variables), contextValue);
      if (answered) return withValues(answered);
      const { body } = await apollo.executeOperation({ query, variables }, { contextValue });
      return body.kind === "single" ? withValues(body.singleResult) : { data: null };
    },
  });
  const bodies = new Map<Asset, PackedBody>();

  const bodyOf = (asset: Asset): PackedBody =>
    getOrMake(bodies, asset, () => new PackedBody(() => asset.bytes, asset.encoded, etag(asset.bytes, { weak: true })));

  return {
    async open(exchange) {
      const asset = pages.asset(exchange.path);
      if (asset) return { status: 200, headers: { ...asset.headers }, body: bodyOf(asset) };
      const page = await pages.answer(exchange.path, asked(exchange));
      if (page?.route) exchange.route = { method: exchange.method, path: `${page.route} (page)` };
      return page && forPeople(exchange, page);
    },
    missing(exchange, next) {
      const page = rowOf(exchange) ? null : pages.missing(asked(exchange));
      return page ? forPeople(exchange, page) : next();
    },
  };
}

const asked = (exchange: Exchange): PageRequest => ({
  request: exchange.request,
  baseUrl: exchange.baseUrl,
  async admit() {
    const viewer = await admit(exchange, {});
    await exchange.beginWork();
    return contextOf(exchange, viewer, false);
  },
  refused: (error) => refused(exchange, error),
});

/** Pages are for their reader only, not for pages of other sites. */
function forPeople(exchange: Exchange, { status, headers, body }: PageAnswer): Answer {
  exchange.vary = exchange.vary === "" ? "Accept, Cookie" : `${exchange.vary}, Accept`;
  return { status, headers: { ...NO_CORS, ...headers }, body };
}
