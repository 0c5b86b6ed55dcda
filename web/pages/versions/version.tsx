/** One edit: its record, user, time and changes, and a button to revert to it. */
import type { Ref } from "../../lib/mask.js";
import type { RatingName } from "../../lib/rating.js";
import type { Byline_UserFragment } from "../../parts/__generated__/byline.js";
import { Byline } from "../../parts/byline.js";
import { Moment } from "../../parts/moment.js";
import { Changes, type Compared, type Field } from "./changes.js";

/** The fields common to all versions. */
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
  /** its page, if any */
  url?: string | undefined;
  /** its thumbnail */
  picture?: string | undefined;
  rating?: RatingName | undefined;
  mayRevert: boolean;
}

interface Props<V extends Version> {
  version: V;
  subject: Subject;
  fields: readonly Field<V>[];
  /** history of its record, if several are listed */
  historyUrl: string | null;
  /** whether it is the record's current state */
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
        <a
          class="Version-picture"
          href={subject.url}
          data-rating={subject.rating?.toLowerCase()}
          aria-hidden="true"
          tabIndex={-1}
        >
          <img src={subject.picture} alt="" loading="lazy" />
        </a>
      )}
      <div class="Version-edit">
        <p class="Version-head">
          <SubjectLink subject={subject} />
          {historyUrl ? <a href={historyUrl}>{name}</a> : <b>{name}</b>}
          {version.updater && <Byline user={version.updater} />}
          <Moment time={version.updatedAt} />
        </p>
        <Changes version={version} fields={fields} />
        {subject.mayRevert && !isNewest && (
          <button
            class="Version-revert Button is-bare"
            type="button"
            aria-label={`Revert to this, version ${version.version}`}
            onClick={() => void onRevert(version)}
          >
            Revert to this
          </button>
        )}
      </div>
    </li>
  );
}
