/** How the REST interface reads fields of inputs, beyond what their types say. */
import { Extensions } from "type-graphql";

const extended =
  (extension: Record<string, unknown>): PropertyDecorator =>
  (target, key) =>
    Extensions(extension)(target, key);

/** The items of this list of an input are separated by blanks, and may have commas in them. */
export const SeparatedByBlanks = (): PropertyDecorator => extended({ separator: /\s+/u });

/** Clients also send it by these names. */
export const AlsoNamed = (...synonyms: string[]): PropertyDecorator => extended({ synonyms });
