/**
 * A codegen plugin: each document as text, with the fragments that it uses and `__typename` where the cache needs it, and
 * the SHA-256 of the text, by which the server finds it.
 */
import { createHash } from "node:crypto";
import path from "node:path";
import { Kind, print, stripIgnoredCharacters, visit } from "graphql";

const TYPENAME = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: "__typename" } };

/** Adds `__typename` to each selection except an operation's own, as normalizing caches do. */
const withTypename = (document) =>
  visit(document, {
    SelectionSet: {
      leave: (node, _key, parent) =>
        parent.kind === Kind.OPERATION_DEFINITION || node.selections.some(({ name }) => name?.value === "__typename")
          ? undefined
          : { ...node, selections: [...node.selections, TYPENAME] },
    },
  });

/** Names of the fragments that a definition uses, directly or indirectly. */
function fragmentsOf(definition, byName, found = new Set()) {
  visit(definition, {
    FragmentSpread({ name: { value } }) {
      if (found.has(value)) return;
      found.add(value);
      fragmentsOf(byName.get(value), byName, found);
    },
  });
  return found;
}

const exported = (operation, byName) => {
  const used = [...fragmentsOf(operation, byName)]
    .toSorted((one, other) => (one < other ? -1 : 1))
    .map((name) => byName.get(name));
  const text = stripIgnoredCharacters(print(withTypename({ kind: Kind.DOCUMENT, definitions: [operation, ...used] })));
  const name = operation.name.value;
  const kind = operation.operation[0].toUpperCase() + operation.operation.slice(1);
  const hash = createHash("sha256").update(text).digest("hex");
  const types = `Document<${name}${kind}, ${name}${kind}Variables>`;
  return `export const ${name}Document: ${types} = { hash: "${hash}", text: ${JSON.stringify(text)} };`;
};

const pathFrom = (file, to) => path.posix.relative(path.posix.dirname(file), to);

export const plugin = (_schema, documents, { externalFragments = [] }, { outputFile }) => {
  const definitions = documents.flatMap(({ document }) => document.definitions);
  const fragments = definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
  const operations = definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  const byName = new Map(
    [...externalFragments.map(({ node }) => node), ...fragments].map((node) => [node.name.value, node]),
  );
  return {
    prepend:
      operations.length > 0 ? [`import type { Document } from "${pathFrom(outputFile, "web/lib/document.js")}";`] : [],
    content: operations.map((operation) => exported(operation, byName)).join("\n"),
  };
};
