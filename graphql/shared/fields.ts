/**
 * Types of the schema as data: one line for each field, with its description; the TypeScript type follows from
 * the same line. Fields that lead to records of other types are declared beside them (`record-fields.ts`), since types refer to each
 * other in cycles.
 */
import {
  type ClassType,
  Extensions,
  Field,
  Float,
  InputType,
  Int,
  InterfaceType,
  ObjectType,
  registerEnumType,
} from "type-graphql";
import type { Priced } from "./bounded.js";

export interface FieldSpec<Value = unknown> {
  type: () => object;
  description: string;
  isList: boolean;
  isNullable: boolean;
  /** further extensions: `Bounded`, `AlsoNamed` ... */
  decorators: readonly PropertyDecorator[];
  /** only a type: that of its values */
  readonly value?: Value;
}

export type FieldSpecs = Readonly<Record<string, FieldSpec>>;

export type ValuesOf<Specs extends FieldSpecs> = {
  -readonly [Name in keyof Specs]: Specs[Name] extends FieldSpec<infer Value> ? Value : never;
};

const fieldOf = <Value>(
  type: () => object,
  description: string,
  decorators: PropertyDecorator[],
): FieldSpec<Value> => ({
  type,
  description,
  isList: false,
  isNullable: false,
  decorators,
});

export const scalar =
  <Value>(type: object) =>
  (description: string, ...decorators: PropertyDecorator[]): FieldSpec<Value> =>
    fieldOf<Value>(() => type, description, decorators);

export const int = scalar<number>(Int);
export const float = scalar<number>(Float);
export const string = scalar<string>(String);
export const boolean = scalar<boolean>(Boolean);
export const date = scalar<Date>(Date);

/** One of the values of a registered enum. */
export const oneOf = <Enum extends Readonly<Record<string, string | number>>>(
  values: Enum,
  description: string,
): FieldSpec<Enum[keyof Enum]> => fieldOf(() => values, description, []);

/** A value of another type, which belongs to this one. */
export const nested = <Value extends object>(
  type: () => ClassType<Value>,
  description: string,
  ...decorators: PropertyDecorator[]
): FieldSpec<Value> => fieldOf(type, description, decorators);

/** A list of the field's type. */
export const listOf = <Value>(of: FieldSpec<Value>): FieldSpec<Value[]> =>
  ({ ...(of as FieldSpec), isList: true }) as FieldSpec<Value[]>;

export const ints = (description: string, ...decorators: PropertyDecorator[]): FieldSpec<number[]> =>
  listOf(int(description, ...decorators));
export const strings = (description: string, ...decorators: PropertyDecorator[]): FieldSpec<string[]> =>
  listOf(string(description, ...decorators));

/** A field that may be null; of an input, one that may be absent. */
export const nullable = <Value>(spec: FieldSpec<Value>): FieldSpec<Value | null | undefined> => ({
  ...(spec as FieldSpec<Value | null | undefined>),
  isNullable: true,
});

/** Fields each of which may be null or absent. */
export const allNullable = <Specs extends FieldSpecs>(
  specs: Specs,
): {
  [Name in keyof Specs]: Specs[Name] extends FieldSpec<infer Value> ? FieldSpec<Value | null | undefined> : never;
} => Object.fromEntries(Object.entries(specs).map(([name, spec]) => [name, nullable(spec)])) as never;

/** The type for type-graphql. */
export const typeOf =
  ({ type, isList }: FieldSpec): (() => never) =>
  () =>
    (isList ? [type()] : type()) as never;

export const namedClass = (name: string): ClassType =>
  Object.defineProperty(function () {}, "name", { value: name }) as never;

function declare(target: object, name: string, spec: FieldSpec): void {
  Field(typeOf(spec), { nullable: spec.isNullable, description: spec.description })(target, name);
  for (const decorate of spec.decorators) decorate(target, name);
}

type Declaring = <Specs extends FieldSpecs>(
  name: string,
  description: string,
  specs: Specs,
  interfaces?: ClassType[],
) => ClassType<ValuesOf<Specs>>;

const declaring =
  (decorated: (name: string, description: string, interfaces: ClassType[]) => ClassDecorator): Declaring =>
  (name, description, specs, interfaces = []) => {
    const Type = namedClass(name);
    for (const [field, spec] of Object.entries(specs)) declare(Type.prototype, field, spec);
    decorated(name, description, interfaces)(Type);
    return Type as never;
  };

/** An object type of the schema, with its interfaces, whose fields it has too. */
export const objectType = declaring((name, description, interfaces) =>
  ObjectType(name, { description, simpleResolvers: true, implements: interfaces }),
);
export const interfaceType = declaring((name, description) =>
  InterfaceType(name, { description, autoRegisterImplementations: true }),
);
export const inputType = declaring((name, description) => InputType(name, { description }));

/** An input all of whose fields may be absent, such as the filters of a list. */
export const optionalInput = <Specs extends FieldSpecs>(name: string, description: string, specs: Specs) =>
  inputType(name, description, allNullable(specs));

/**
 * An enum of the schema. Clients see the names; the services and the REST interface use the values.
 * @param members value and description of each name
 */
export function enumType<const Members extends Readonly<Record<string, readonly [string | number, string]>>>(
  name: string,
  description: string,
  members: Members,
): { readonly [Name in keyof Members]: Members[Name][0] } {
  const each = <Part>(part: (member: readonly [string | number, string]) => Part) =>
    Object.fromEntries(Object.entries(members).map(([key, member]) => [key, part(member)]));
  const values = each(([value]) => value);
  registerEnumType(values, { name, description, valuesConfig: each(([, text]) => ({ description: text })) });
  return values as { readonly [Name in keyof Members]: Members[Name][0] };
}

/** The cost of a field, in addition to that of its value's fields. */
export const Costing = (complexity: number | ((priced: Priced) => number)): PropertyDecorator =>
  Extensions({ complexity });

/** In REST, the items of this list are separated by spaces, and may contain commas. */
export const SeparatedByBlanks = (): PropertyDecorator => Extensions({ separator: /\s+/u });

/** Other names by which clients of REST send a field. */
export const AlsoNamed = (...synonyms: string[]): PropertyDecorator => Extensions({ synonyms });
