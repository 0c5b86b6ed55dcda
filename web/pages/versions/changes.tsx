/** What an edit changed, field by field. */
import { words } from "../../titles.js";
import { TextChange } from "./text-change.js";

/** A version, with the previous one's values of the same fields; null for the first version. */
export interface Compared {
  previous: object | null;
}
type State<V extends Compared> = NonNullable<V["previous"]>;

/** Added and removed names. */
export interface Names {
  added: readonly (string | number)[];
  removed: readonly (string | number)[];
  /** those that a later edit changed again */
  obsolete?: readonly (string | number)[];
}

/** A field of a record, and how its change is shown. */
export type Field<V extends Compared> = { name: string } & (
  | { names: (version: V) => Names; url?: (name: string | number) => string }
  | {
      value: (state: State<V>) => string | number | null;
      /** absent for the first version */
      usual?: string;
    }
  | { text: (state: State<V>) => string }
);

/** The difference of two lists of names. */
export function difference(before: readonly string[] = [], after: readonly string[] = []) {
  const [old, current] = [new Set(before), new Set(after)];
  return {
    added: after.filter((name) => !old.has(name)),
    removed: before.filter((name) => !current.has(name)),
  };
}

interface NameProps {
  name: string | number;
  url?: string | undefined;
  isAdded: boolean;
  isObsolete: boolean;
}

function Name({ name, url, isAdded, isObsolete }: NameProps) {
  const Mark = isAdded ? "ins" : "del";
  const shown = words(String(name));
  return (
    <li class={isObsolete ? "is-obsolete" : ""} title={isObsolete ? "Changed again since" : undefined}>
      <Mark>
        <span aria-hidden="true">{isAdded ? "+" : "−"}</span>
        <span class="Unseen">{isAdded ? "Added " : "Removed "}</span>
        {url ? (
          <a href={url} dir="auto">
            {shown}
          </a>
        ) : (
          <span dir="auto">{shown}</span>
        )}
      </Mark>
    </li>
  );
}

interface NamesProps {
  label: string;
  names: Names;
  url?: ((name: string | number) => string) | undefined;
}

function NamesChange({ label, names: { added, removed, obsolete = [] }, url }: NamesProps) {
  if (added.length + removed.length === 0) return null;
  const list = (names: Names["added"], isAdded: boolean) =>
    names.map((name, index) => (
      <Name
        key={`${name} ${index}`}
        name={name}
        url={url?.(name)}
        isAdded={isAdded}
        isObsolete={obsolete.includes(name)}
      />
    ));
  return (
    <div class="Version-names">
      {label}:{" "}
      <ul aria-label={label}>
        {list(added, true)}
        {list(removed, false)}
      </ul>
    </div>
  );
}

interface ValueProps {
  label: string;
  before: string | null;
  after: string;
}

const ValueChange = ({ label, before, after }: ValueProps) => (
  <p class="Version-value">
    {label}:{" "}
    {before !== null && before !== "" && (
      <>
        <del dir="auto">{before}</del> <span aria-hidden="true">→</span>{" "}
      </>
    )}
    <ins dir="auto">{after || "none"}</ins>
  </p>
);

function Change<V extends Compared>({ version, field }: { version: V; field: Field<V> }) {
  const { name: label } = field;
  if ("names" in field) return <NamesChange label={label} names={field.names(version)} url={field.url} />;
  const read = "text" in field ? field.text : field.value;
  const now = String(read(version) ?? "");
  const { previous } = version;
  const before = previous && String(read(previous) ?? "");
  if (now === (before ?? ("usual" in field ? (field.usual ?? "") : ""))) return null;
  if ("text" in field) return <TextChange label={label} before={before ?? ""} after={now} />;
  return <ValueChange label={label} before={before} after={now} />;
}

/** All changes of an edit. */
export const Changes = <V extends Compared>({ version, fields }: { version: V; fields: readonly Field<V>[] }) => (
  <div class="Version-changes">
    {fields.map((field) => (
      <Change key={field.name} version={version} field={field} />
    ))}
  </div>
);
