/** Replaces what differs between recordings although nothing has changed. */

/** Text of a body or header that depends on the clock or on chance. Everything else is compared byte for byte. */
const CHANGING: readonly (readonly [what: RegExp, stand: string])[] = [
  // times of records made while recording; those that were there before are of 2020 (`board.ts`)
  [/20(?:2[1-9]|[3-9]\d)-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?(?=Z|\+00:00)/g, "<time>"],
  // API keys: bcrypt with a random salt
  [/\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}/g, "<key>"],
  // CSRF tokens and tokens of recovery
  [/(csrf_?token\\?"?\s*[:=]\s*\\?")[\w-]{20,}/gi, "$1<token>"],
  // ports of the board and of the site that sources come from
  [/127\.0\.0\.1(:|%3A)\d+/g, "127.0.0.1$1<port>"],
];

/** What of a request depends on keys and tokens. */
const SECRETS: readonly (readonly [what: RegExp, stand: string])[] = [
  [/(authorization: \w+ )[\w+/=]{60,}/gi, "$1<credentials>"],
  [/((?:session|password_hash|api_key)(?:=|":"))[^&;,"\s]{20,}/g, "$1<secret>"],
  [/(x-csrf-token: )[\w-]{20,}/g, "$1<token>"],
  [/content-length: \d+ \| /g, ""], // of a form with a key, whose signs are encoded
];

/** Headers of which only the form is compared. */
const CHANGING_HEADERS: Readonly<Record<string, (value: string) => string>> = {
  date: () => "<date>",
  "x-request-id": (value) => value.replace(/^[0-9a-f]{8}-[0-9a-f-]{27}$/, "<uuid>"),
  "x-ratelimit-reset": () => "<second>",
  "retry-after": (value) => (Number(value) > 60 ? "<seconds>" : value),
  "server-timing": (value) => value.replace(/\d+\.\d+/, "<milliseconds>"),
  "last-modified": () => "<date>",
  "set-cookie": (value) =>
    value
      .replace(/((?:^|__Host-)session=)[^;]{20,}/, "$1<token>")
      .replace(/(password_hash=)[^;]{20,}/, "$1<key>")
      .replace(/Expires=(?!Thu, 01 Jan 1970)[^;]+/, "Expires=<date>"),
};

/** Paths whose answers are of the process and not of the board. */
const OF_PROCESS = /^\/metrics/;
/** Paths whose ETag changes although their body does not, or is not sent: files have the time of theirs, profiles the key. */
const CHANGING_TAGS = /^\/(?:data\/|profile\.)/;

/** Whether the ETag depends on the clock or on chance. */
export const hasChangingTag = (path: string): boolean => CHANGING_TAGS.test(path);

/** The text with what changes replaced. */
export const steadyText = (text: string): string =>
  CHANGING.reduce((steady, [what, stand]) => steady.replace(what, stand), text);

/** What a request is called in a recording. */
export const steadyName = (text: string): string =>
  SECRETS.reduce((steady, [what, stand]) => steady.replace(what, stand), steadyText(text));

/** The body as it is compared. */
export const steadyBody = (path: string, body: string): string =>
  OF_PROCESS.test(path) ? "<metrics>" : steadyText(body);

/**
 * The header as it is compared.
 * @param isChanging whether the body has something that changes, and with it its hash
 */
export function steadyHeader(name: string, value: string, isChanging: boolean): string {
  const known = CHANGING_HEADERS[name.toLowerCase()];
  if (known) return known(value);
  if (!isChanging) return value;
  if (name.toLowerCase() === "etag") return value.replace(/-[\w+/=-]+"$/, '-<hash>"');
  return steadyText(name.toLowerCase() === "content-length" ? "<length>" : value);
}
