/** Views that more than one row needs. Each declares the properties of its result, for `/openapi.json`. */
import type { Properties, Property, Schema } from "../openapi/schema.js";
import type { Json, View } from "./row.js";

/** A view together with the properties of its result. */
export const described = (view: (record: Json) => Json, describe: View["describe"]): View =>
  Object.assign((record: Json) => view(record), { describe });

/** The properties, with those of these names changed. */
export const retyped = (
  properties: Properties,
  names: string[],
  change: (property: Property) => Property,
): Properties =>
  Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, names.includes(name) ? change(property) : property]),
  );

/** Moves the fields of nested objects up into the record. */
export const flatten = (...names: string[]): View =>
  described(
    (record) => {
      const { ...flat } = record;
      for (const name of names) {
        const nested = flat[name];
        delete flat[name];
        Object.assign(flat, nested);
      }
      return flat;
    },
    (properties) => {
      const nested = names.map((name) => fieldsOf(properties[name]));
      const rest = Object.entries(properties).filter(([name]) => !names.includes(name));
      return Object.assign(Object.fromEntries(rest), ...nested) as Properties;
    },
  );

/** The fields of an object; where it may be null, each of them may be missing. */
function fieldsOf(property: Property | undefined): Properties {
  const required = new Set(isNullable(property) ? [] : property?.required);
  const fields = Object.entries(property?.properties ?? {});
  return Object.fromEntries(
    fields.map(([name, field]) => [name, required.has(name) ? field : { ...field, optional: true }]),
  );
}

const isNullable = (schema: Schema | undefined): boolean => Array.isArray(schema?.type) && schema.type.includes("null");

/** Leaves out these fields if they are null: fields that the viewer may not see are absent rather than empty. */
export const omitNull = (...names: string[]): View =>
  described(
    (record) =>
      names.some((name) => record[name] === null)
        ? Object.fromEntries(Object.entries(record).filter(([key, value]) => value !== null || !names.includes(key)))
        : record,
    (properties) => retyped(properties, names, absent),
  );

const absent = (property: Property): Property => ({
  ...notNull(property),
  description: property.description?.replace(/\bnull\b/, "absent"),
  optional: true,
});

/** The same without null. */
function notNull({ anyOf, ...property }: Property): Property {
  const [first, second, ...others] = anyOf ?? [];
  if (first && second?.type === "null" && others.length === 0) return { ...property, ...first };
  const { type } = property;
  if (!Array.isArray(type)) return anyOf ? { ...property, anyOf } : property;
  const types = type.filter((each) => each !== "null");
  return { ...property, type: types.length === 1 ? types[0] : types };
}

/** Joins these lists into texts separated by spaces. */
export const joined = (...names: string[]): View =>
  described(
    (record) => ({ ...record, ...Object.fromEntries(names.map((name) => [name, joinList(record[name])])) }),
    (properties) => retyped(properties, names, asText),
  );

/** The property of a list, as that of a text in its place. */
export const asText = ({ description, xml }: Property): Property => ({
  type: "string",
  description,
  ...(xml?.name ? { xml: { name: xml.name } } : {}),
});

const joinList = (list: unknown): unknown => (Array.isArray(list) ? list.join(" ") : list);
