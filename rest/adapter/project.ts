/**
 * What a document selects, taken from plain values: the quick way of rows that read records without GraphQL. The answer is
 * the one that the document gives, by the same names in the same order.
 */
import { type DocumentNode, type FragmentDefinitionNode, Kind, type SelectionSetNode } from "graphql";
import { operationOf } from "./execute.js";
import type { Json } from "./row.js";
import { formatTime } from "./schema.js";

interface Selected {
  /** in the answer */
  alias: string;
  /** in the record */
  name: string;
  nested: Selected[] | null;
}

/** A function from the value of the document's root field, all fields by their own names, to what the document answers. */
export function projector(document: DocumentNode): (value: object) => Json {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const each of document.definitions) {
    if (each.kind === Kind.FRAGMENT_DEFINITION) fragments.set(each.name.value, each);
  }
  const [root] = selectedIn(operationOf(document).selectionSet, fragments);
  const fields = root?.nested ?? [];
  return (value) => project(value as Json, fields);
}

function selectedIn(
  { selections }: SelectionSetNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): Selected[] {
  return selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) {
      const { name, alias, selectionSet } = selection;
      const nested = selectionSet ? selectedIn(selectionSet, fragments) : null;
      return [{ name: name.value, alias: alias?.value ?? name.value, nested }];
    }
    const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value) : selection;
    return fragment ? selectedIn(fragment.selectionSet, fragments) : [];
  });
}

function project(value: Json, fields: readonly Selected[]): Json {
  const answer: Json = {};
  for (const { name, alias, nested } of fields)
    answer[alias] = nested ? within(value[name], nested) : plain(value[name]);
  return answer;
}

function within(value: unknown, fields: readonly Selected[]): unknown {
  if (Array.isArray(value)) return value.map((each) => within(each, fields));
  return value === null || value === undefined ? null : project(value as Json, fields);
}

const plain = (value: unknown): unknown => (value === undefined ? null : formatTime(value));
