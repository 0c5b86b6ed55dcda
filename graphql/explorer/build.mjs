/**
 * Makes GraphiQL's page: one file that holds all of it, so that it works without the internet. A step of the set-up; plain
 * JavaScript, because it runs before there is a build.
 *
 * node graphql/explorer/build.mjs    writes static/graphiql.html.gz, and static/graphiql.json with the hash of its script
 */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Script } from "node:vm";
import { gzipSync } from "node:zlib";
import { css, editorWorkerService, graphqlWorker, js, jsonWorker } from "@graphql-yoga/render-graphiql/graphiql";

const HERE = import.meta.dirname;
const TITLE = "Graphbooru";
const MARK = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect x="2" y="5" width="28" height="22" rx="4" fill="#7a4fd8"/><circle cx="23" cy="11" r="2.5" fill="#ffd66b"/><path d="M4 24l8-11 6 8 4-5 6 8z" fill="#fff"/></svg>`;

/** A string or object as a literal that can't end the script element it stands in. */
const literal = (value) => JSON.stringify(value).replaceAll("<", "\\u003c");

/** The library writes `<!--` only within strings and patterns; in a script element it would begin a comment. */
const library = js.replaceAll("<!--", "\\x3C!--").replaceAll("</script", "\\x3C/script");

/**
 * Three things differ from what the package's own page does: edits are not copied into the address, which would then be that of
 * an API request when the page is loaded again; headers, where API keys are, are not kept unless one asks for it; and
 * subscriptions run over a WebSocket.
 */
const script = `
const worker = (text) => URL.createObjectURL(new Blob([text], { type: "application/javascript" }));
const workers = {
  editorWorkerService: worker(${literal(editorWorkerService)}),
  json: worker(${literal(jsonWorker)}),
  graphql: worker(${literal(graphqlWorker)}),
};
self.MonacoEnvironment = { globalAPI: false, getWorkerUrl: (_module, label) => workers[label] };
${library};
YogaGraphiQL.renderYogaGraphiQL(document.getElementById("root"), {
  endpoint: "/graphql",
  subscriptionsProtocol: "WS",
  title: ${literal(TITLE)},
  logo: ${literal(MARK)},
  defaultTabs: [{ query: ${literal(readFileSync(path.join(HERE, "examples.graphql"), "utf8"))} }],
  defaultQuery: "",
  shouldPersistHeaders: undefined,
  onEditQuery: () => undefined,
});
`;

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${TITLE}</title>
<link rel="icon" href="data:image/svg+xml;base64,${Buffer.from(MARK).toString("base64")}">
<style>
${css}
html, body, #root { height: 100%; margin: 0; overflow: hidden; }
</style>
</head>
<body>
<noscript>This page needs JavaScript. The API itself does not: send queries to this address by POST.</noscript>
<div id="root"></div>
<script>${script}</script>
</body>
</html>
`;

/** Written beside and then put in place, so that a server that starts meanwhile reads no half of it. */
function write(name, content) {
  const file = path.join(HERE, "static", name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(`${file}.${process.pid}`, content);
  renameSync(`${file}.${process.pid}`, file);
}

void new Script(script); // throws when the escapes above have made nonsense of another version of the library
if (/[\r\0]/.test(script)) throw new Error("HTML would change the script, and its hash with it");
write("graphiql.html.gz", gzipSync(page, { level: 9 }));
write(
  "graphiql.json",
  `${JSON.stringify({ scriptHash: `sha256-${createHash("sha256").update(script).digest("base64")}` })}\n`,
);
