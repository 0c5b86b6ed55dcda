/** One edit: of what, by whom and when, what it changed, and a way back to how the record was after it. */
import type { Ref } from "../../lib/mask.js";
import { ago, inFull } from "../../lib/time.js";
import type { Byline_UserFragment } from "../../parts/__generated__/byline.js";
import { Byline } from "../../parts/byline.js";
import { Changes, type Compared, type Field } from "./changes.js";

/** What the versions of all records have. */
export interface Version extends Compared {
  id: number;
  version: number;
  updatedAt: string;
  updater: Ref<Byline_UserFragment> | null;
}

/** The record that was edited. */
export interface Subject {
  id: number;
  name: string;
  /** where it is seen, if anywhere */
  url?: string | undefined;
  /** its thumbnail */
  picture?: string | undefined;
  mayRevert: boolean;
}

interface Props<V extends Version> {
  version: V;
  subject: Subject;
  fields: readonly Field<V>[];
  /** of all edits of its record, where those of several are listed */
  historyUrl: string | null;
  /** whether the record is so already */
  isNewest: boolean;
  onRevert: (version: V) => Promise<void>;
}

function SubjectLink({ subject: { name, url } }: { subject: Subject }) {
  if (!url) return <b dir="auto">{name}</b>;
  return (
    <a class="Version-subject" href={url} dir="auto">
      {name}
    </a>
  );
}

export function VersionItem<V extends Version>(props: Props<V>) {
  const { version, subject, fields, historyUrl, isNewest, onRevert } = props;
  const name = `Version ${version.version}`;
  return (
    <li class="Version">
      {subject.picture && (
        <a class="Version-picture" href={subject.url} aria-hidden="true" tabIndex={-1}>
          <img src={subject.picture} alt="" loading="lazy" />
        </a>
      )}
      <div class="Version-edit">
        <p class="Version-head">
          <SubjectLink subject={subject} />
          {historyUrl ? <a href={historyUrl}>{name}</a> : <b>{name}</b>}
          {version.updater && <Byline user={version.updater} />}
          <time dateTime={version.updatedAt} title={inFull(version.updatedAt)}>
            {ago(version.updatedAt)}
          </time>
          {subject.mayRevert && !isNewest && (
            <button
              class="Button is-bare"
              type="button"
              aria-label={`Revert to this, version ${version.version}`}
              onClick={() => void onRevert(version)}
            >
              Revert to this
            </button>
          )}
        </p>
        <Changes version={version} fields={fields} />
      </div>
    </li>
  );
}
