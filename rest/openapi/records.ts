/** The record that a row returns, as a named schema. */
import { getNamedType, isObjectType, Kind } from "graphql";
import { toDashed } from "../../src/lib/case.js";
import { flatten } from "../adapter/views.js";
import type { Operation } from "./operation.js";
import { type Components, objectOf, type Properties, type Schema } from "./schema.js";
import { propertiesOf } from "./types.js";
import { description, toPascal } from "./words.js";

export interface RecordSchema {
  reference: Schema;
  fields: string[];
}

/** The record of a row; null for a write that returns only the envelope. */
export function recordOf(operation: Operation, components: Components): RecordSchema | null {
  const properties = answered(operation, components);
  const fields = Object.keys(properties);
  if (fields.length === 0) return null;
  const { resource } = operation.row;
  const schema = { ...objectOf(properties), ...description(meaningOf(operation)), xml: { name: toDashed(resource) } };
  return { reference: components.add(schema, toPascal(resource), operation.name), fields };
}

/** The fields that the document selects (of a payload, those of its objects on one level), changed by the row's view. */
function answered(operation: Operation, components: Components): Properties {
  const { recordType, recordNode, fragments, isMutation, row } = operation;
  const { selectionSet } = recordNode;
  const selected = selectionSet ? propertiesOf(recordType, selectionSet, fragments, components) : {};
  const objects = Object.keys(selected).filter((name) => selected[name]?.properties);
  const record = isMutation ? (flatten(...objects).describe?.(selected) ?? selected) : selected;
  return row.view?.describe?.(record) ?? record;
}

/** The description of the record's type; for a payload, that of its only object. */
function meaningOf({ recordType, recordNode, isMutation }: Operation): string | null | undefined {
  const type = getNamedType(recordType);
  if (!isMutation || !isObjectType(type)) return type.description;
  const objects = (recordNode.selectionSet?.selections ?? []).flatMap((each) => {
    const field = each.kind === Kind.FIELD && each.selectionSet ? type.getFields()[each.name.value] : undefined;
    return field ? [getNamedType(field.type)] : [];
  });
  return (objects.length === 1 ? objects[0] : type)?.description;
}
