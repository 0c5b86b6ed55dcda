/** How the REST interface reads lists that come as one text. */
import { Extensions } from "type-graphql";

/** The items of this list of an input are separated by blanks, and may have commas in them. */
export const SeparatedByBlanks = (): PropertyDecorator => {
  const decorate = Extensions({ separator: /\s+/u });
  return (target, key) => decorate(target, key);
};
