/** What a document selects, with the selections of its fragments in their places. */
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getOperationAST,
  Kind,
  type SelectionSetNode,
} from "graphql";

/** The fragments of a document by their names. */
export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

export const fragmentsOf = (document: DocumentNode): Fragments =>
  new Map(
    document.definitions
      .filter((each) => each.kind === Kind.FRAGMENT_DEFINITION)
      .map((fragment) => [fragment.name.value, fragment]),
  );

/** The selected fields, including those in fragments; of each fragment once, which is enough, and ends those that are cyclic. */
export function* fieldsIn(
  { selections }: SelectionSetNode,
  fragments: Fragments,
  spread = new Set<string>(),
): Generator<FieldNode> {
  for (const each of selections) {
    if (each.kind === Kind.FIELD) yield each;
    else if (each.kind === Kind.INLINE_FRAGMENT) yield* fieldsIn(each.selectionSet, fragments, spread);
    else if (!spread.has(each.name.value)) {
      spread.add(each.name.value);
      const fragment = fragments.get(each.name.value);
      if (fragment) yield* fieldsIn(fragment.selectionSet, fragments, spread);
    }
  }
}

/** The name of a field in the response. */
export const responseName = ({ alias, name }: FieldNode): string => (alias ?? name).value;

/** The names of an operation's root fields, one for each name in the response. */
export function rootFields(document: DocumentNode, operationName: string | null): string[] {
  const operation = getOperationAST(document, operationName);
  const fields = operation ? [...fieldsIn(operation.selectionSet, fragmentsOf(document))] : [];
  return [...new Map(fields.map((field) => [responseName(field), field.name.value])).values()];
}
