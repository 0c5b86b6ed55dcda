/** All attacks. */
import type { Attack } from "./attack.js";
import { bodies } from "./kinds/bodies.js";
import { connections } from "./kinds/connections.js";
import { documents } from "./kinds/documents.js";
import { floods } from "./kinds/floods.js";
import { headers } from "./kinds/headers.js";
import { everyParameter } from "./kinds/parameters.js";
import { searches } from "./kinds/searches.js";
import { uploads } from "./kinds/uploads.js";
import { webSockets } from "./kinds/web-sockets.js";

export const attacks: readonly Attack[] = [
  ...bodies,
  ...searches,
  ...documents,
  ...webSockets,
  ...connections,
  ...headers,
  ...uploads,
  ...floods,
  ...everyParameter,
];

/** @throws Error when there is none of this name */
export function attackNamed(name: string): Attack {
  const found = attacks.find((each) => each.name === name);
  if (!found) throw new Error(`there is no attack "${name}"`);
  return found;
}
