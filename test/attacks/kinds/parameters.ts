/** Every parameter of every REST row, and every argument of every GraphQL field: long, many, deeply nested. */
import type { Attack } from "../attack.js";
import { type Argument, graphqlArguments, type Parameter, restParameters } from "../parameters.js";
import { FORM_TYPE, JSON_TYPE, many } from "../payloads.js";
import type { Target } from "../target.js";

/** Room for what stands around a value in a body of at most 1 MiB, in bytes. */
const LONG = 1_048_000;
const MANY = 100_000;
const DEEP = 100_000;

let parameters: Parameter[] = [];
let places: Argument[] = [];

/** Each parameter by itself in a body; a read says by a parameter that it is one. */
const sendRest = (value: (name: string) => { type: Record<string, string>; body: string }) => (target: Target) =>
  target.flood(
    4,
    async (turn) => {
      const { method, path, name } = parameters[turn] as Parameter;
      const { type, body } = value(name);
      const at = `${path}?_method=${method}`;
      await target.ask({ method: "POST", path: at, headers: type, body, signedIn: method !== "GET", from: turn % 200 });
    },
    parameters.length,
  );

/** `search[name]` around a value, as JSON. */
const nested = (name: string, value: string): string => {
  const keys = name.split(/[[\]]+/).filter(Boolean);
  return keys.reduceRight((inner, key) => `{${JSON.stringify(key)}:${inner}}`, value);
};

const sendGraphql = (value: (place: Argument) => string) => (target: Target) =>
  target.flood(
    4,
    async (turn) => {
      const place = places[turn] as Argument;
      const body = `{"query":${JSON.stringify(place.query)},"variables":{"v":${place.around(value(place))}}}`;
      const asked = { method: "POST", path: "/graphql", headers: JSON_TYPE, body };
      await target.ask({ ...asked, signedIn: place.isMutation, from: turn % 200 });
    },
    places.length,
  );

const readRows = async (target: Target) => void (parameters = await restParameters(target));
const readSchema = async (target: Target) => void (places = await graphqlArguments(target));

const longText = "a".repeat(LONG - 2_000);
const longNumber = "9".repeat(LONG - 2_000);
const numbers = `[${many(MANY, String, ",")}]`;
const letters = `[${many(MANY, () => '"a"', ",")}]`;
const commas = many(MANY, String, ",");
const deepObject = `${'{"a":'.repeat(DEEP)}1${"}".repeat(DEEP)}`;
const deepArray = `${"[".repeat(4 * DEEP)}${"]".repeat(4 * DEEP)}`;

export const everyParameter: readonly Attack[] = [
  {
    name: "every parameter of REST at 1 MB",
    seconds: 8,
    prepare: readRows,
    send: sendRest((name) => ({ type: FORM_TYPE, body: `${encodeURIComponent(name)}=${longText}` })),
  },
  {
    name: "every parameter of REST at 100,000 elements",
    seconds: 8,
    prepare: readRows,
    send: sendRest((name) =>
      name.length % 2
        ? { type: JSON_TYPE, body: nested(name, numbers) }
        : { type: FORM_TYPE, body: `${encodeURIComponent(name)}=${commas}` },
    ),
  },
  {
    name: "every parameter of REST at a depth of 100,000",
    seconds: 8,
    prepare: readRows,
    send: sendRest((name) => ({ type: JSON_TYPE, body: nested(name, name.length % 2 ? deepObject : deepArray) })),
  },
  {
    name: "every argument of GraphQL at 1 MB",
    seconds: 8,
    prepare: readSchema,
    send: sendGraphql(({ type }) => (String(type).includes("Int") ? longNumber : `"${longText}"`)),
  },
  {
    name: "every argument of GraphQL at 100,000 elements",
    seconds: 8,
    prepare: readSchema,
    send: sendGraphql(({ type }) => (String(type).includes("Int") ? numbers : letters)),
  },
  {
    name: "every argument of GraphQL at a depth of 100,000",
    seconds: 8,
    prepare: readSchema,
    send: sendGraphql(({ query }) => (query.length % 2 ? deepObject : deepArray)),
  },
];
