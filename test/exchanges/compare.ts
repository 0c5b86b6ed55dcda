import type { Exchange } from "./recorder.js";

const AROUND = 60;
const PARTS = ["status", "headers", "body", "route"] as const;

/** A request is the same, whatever validator it got from an answer before it. */
const nameOf = ({ name }: Exchange): string => name.replace(/(if-none-match: )[^|]*/g, "$1...");

/** Names of headers have no case. */
const withPlainNames = ({ headers, ...others }: Exchange): Exchange => ({
  ...others,
  headers: headers.map((header) => header.replace(/^[^:]+/, (name) => name.toLowerCase())).sort(),
});

/** Each exchange that differs, with the parts that do. */
export function differences(before: readonly Exchange[], after: readonly Exchange[]): string[] {
  const found = before.length === after.length ? [] : [`${before.length} exchanges, now ${after.length}`];
  for (const [index, each] of before.entries()) {
    const other = after[index];
    if (other === undefined) break;
    const [was, is] = [withPlainNames(each), withPlainNames(other)];
    if (nameOf(was) !== nameOf(is)) return [...found, `other requests from here on: ${was.name} -> ${is.name}`];
    const parts = PARTS.filter((part) => JSON.stringify(was[part]) !== JSON.stringify(is[part]));
    if (parts.length > 0) found.push([was.name, ...parts.map((part) => described(part, was, is))].join("\n    "));
  }
  return found;
}

function described(part: (typeof PARTS)[number], was: Exchange, is: Exchange): string {
  if (part === "headers") {
    const gone = was.headers.filter((each) => !is.headers.includes(each));
    const come = is.headers.filter((each) => !was.headers.includes(each));
    return `headers: - ${gone.join("; ")} + ${come.join("; ")}`;
  }
  const [before, after] = [String(was[part]), String(is[part])];
  const length = Math.min(before.length, after.length);
  let at = 0;
  while (at < length && before[at] === after[at]) at += 1;
  const cut = (text: string) => JSON.stringify(text.slice(Math.max(0, at - AROUND), at + AROUND));
  return `${part} at ${at}: ${cut(before)} -> ${cut(after)}`;
}
