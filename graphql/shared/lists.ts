/** How the REST interface reads fields of inputs, in addition to their types. */
import { Extensions } from "type-graphql";

/** The items of this list are separated by spaces, and may contain commas. */
export const SeparatedByBlanks = (): PropertyDecorator => Extensions({ separator: /\s+/u });

/** Other names by which clients send a field. */
export const AlsoNamed = (...synonyms: string[]): PropertyDecorator => Extensions({ synonyms });
