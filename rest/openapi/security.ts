/** Ways to authenticate, and who may call which operation. */
import { isOpenBeforeLogin } from "../../graphql/shared/access.js";
import type { Operation } from "./operation.js";
import { upperFirst } from "../../src/lib/case.js";

type Requirement = Record<string, string[]>;

export const SECURITY_SCHEMES = {
  basic: { type: "http", scheme: "basic", description: "User name and API key." },
  login: { type: "apiKey", in: "query", name: "login", description: "User name; together with `api_key`." },
  api_key: {
    type: "apiKey",
    in: "query",
    name: "api_key",
    description:
      "API key; together with `login`. Both may be in the body as well, in a multipart body before the file.",
  },
  session: {
    type: "apiKey",
    in: "cookie",
    name: "session",
    description:
      "Set in a browser by `POST /session` and `POST /users`; named `__Host-session` over HTTPS. Writes authenticated by cookies alone must come from a page of the board, or have the `csrf_token` of that response in the `X-CSRF-Token` header.",
  },
  user_name: {
    type: "apiKey",
    in: "cookie",
    name: "user_name",
    description: "Signed user name, set by `POST /session`; together with `password_hash`.",
  },
  password_hash: {
    type: "apiKey",
    in: "cookie",
    name: "password_hash",
    description: "API key, set by `POST /session`. Ignored beside `session`.",
  },
} as const;

const SIGNED_IN: Requirement[] = [
  { basic: [] },
  { login: [], api_key: [] },
  { session: [] },
  { user_name: [], password_hash: [] },
];

/** @param requireLogin whether visitors may not read anything */
export function securityOf({ isOpen, root }: Operation, requireLogin: boolean): Requirement[] {
  const open = isOpen && (!requireLogin || isOpenBeforeLogin(root));
  return open ? [{}, ...SIGNED_IN] : SIGNED_IN;
}

/** Who may call an operation, as a sentence. */
export function accessText({ access, isOpen }: Operation): string {
  if (isOpen) return "Open to visitors.";
  return access === "public" ? "For all accounts, banned ones too." : `For ${upperFirst(access)} and above.`;
}
