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
  nested: Selection | null;
}

interface Selection {
  fields: readonly Selected[];
  /** an answer without values: what is copied from one shape stays quick, what grows field by field does not */
  blank: Json;
}

/** A function from the value of the document's root field, all fields by their own names, to what the document answers. */
export function projector(document: DocumentNode): (value: object) => Json {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const each of document.definitions) {
    if (each.kind === Kind.FRAGMENT_DEFINITION) fragments.set(each.name.value, each);
  }
  const [root] = selectedIn(operationOf(document).selectionSet, fragments);
  const selection = root?.nested ?? selectionOf([]);
  return (value) => project(value as Json, selection);
}

function selectedIn(
  { selections }: SelectionSetNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): Selected[] {
  return selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) {
      const { name, alias, selectionSet } = selection;
      const nested = selectionSet ? selectionOf(selectedIn(selectionSet, fragments)) : null;
      return [{ name: name.value, alias: alias?.value ?? name.value, nested }];
    }
    const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value) : selection;
    return fragment ? selectedIn(fragment.selectionSet, fragments) : [];
  });
}

const selectionOf = (fields: readonly Selected[]): Selection => ({
  fields,
  blank: Object.fromEntries(fields.map(({ alias }) => [alias, null])),
});

function project(value: Json, { fields, blank }: Selection): Json {
  const answer: Json = { ...blank };
  for (const { name, alias, nested } of fields)
    answer[alias] = nested ? within(value[name], nested) : plain(value[name]);
  return answer;
}

function within(value: unknown, selection: Selection): unknown {
  if (Array.isArray(value)) return value.map((each) => within(each, selection));
  return value === null || value === undefined ? null : project(value as Json, selection);
}

const plain = (value: unknown): unknown => (value === undefined ? null : formatTime(value));
