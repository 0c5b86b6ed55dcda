/** The edits of a record, or of all records of a kind, newest first, each with its changes and a button to revert to it. */
import type { ComponentType } from "preact";
import {
  HISTORIES,
  hasNewest,
  HISTORY_NAMES,
  type HistoryName,
  recordOf,
  versionsTitle,
  versionsUrl,
  versionsVariables,
} from "../../histories.js";
import type { Document } from "../../lib/document.js";
import { aMinuteAgo, useDocument } from "../../lib/graphql.js";
import { openedAt } from "../../lib/router.js";
import { useTitle } from "../../lib/title.js";
import { RefusalOf } from "../../parts/refusal.js";
import { tell, tellProblem } from "../../parts/toast.js";
import { pageBefore, pageOf, type Place } from "../../routes.js";
import type { Field } from "./changes.js";
import { type Subject, type Version, VersionItem } from "./version.js";
import "./versions.css";

/** How the edits of one kind of records are shown. */
export interface History<Data, V extends Version> {
  name: HistoryName;
  document: Document<Data, never>;
  /** the versions in a response, and the next page */
  list: (data: Data) => { versions: readonly V[]; next: string | null };
  subject: (version: V) => Subject;
  fields: readonly Field<V>[];
  /** Reverts the record to a version. @throws Problem */
  revert: (version: V) => Promise<unknown>;
}

const Kinds = ({ current }: { current: HistoryName }) => (
  <nav class="Versions-kinds" aria-label="Edits of">
    {HISTORY_NAMES.map((name) => (
      <a
        key={name}
        class="Button is-bare"
        href={versionsUrl(name)}
        aria-current={name === current ? "page" : undefined}
      >
        {HISTORIES[name].words[1].replace(/^./, (letter) => letter.toUpperCase())}
      </a>
    ))}
  </nav>
);

interface PagesProps {
  name: HistoryName;
  query: URLSearchParams;
  next: string | null;
}

function Pages({ name, query, next }: PagesProps) {
  const newer = pageBefore(pageOf(query));
  if (!newer && !next) return null;
  return (
    <p class="Versions-pages">
      {newer && (
        <a class="Button" href={versionsUrl(name, query, newer)} rel="prev">
          {pageOf(query).startsWith("b") ? "Newest" : "Newer"}
        </a>
      )}
      {next && (
        <a class="Button" href={versionsUrl(name, query, next)} rel="next">
          Older
        </a>
      )}
    </p>
  );
}

/** The versions, listed from the newest on, that are known to be the current state of their records. */
function newestOf<V extends Version>(
  versions: readonly V[],
  subject: (version: V) => Subject,
  query: URLSearchParams,
): ReadonlySet<V> {
  if (!hasNewest(query)) return new Set();
  const byRecord = new Map(versions.toReversed().map((version) => [subject(version).id, version]));
  return new Set(byRecord.values());
}

/** The history page of one kind of records. */
export function historyPage<Data, V extends Version>(history: History<Data, V>): ComponentType<{ place: Place }> {
  const { name, document, list, subject, fields, revert } = history;
  return function History({ place: { query } }) {
    const since = Math.max(openedAt(), aMinuteAgo());
    const { data, problem, again } = useDocument(document, versionsVariables(name, query) as never, false, since);
    const title = versionsTitle(name, query);
    useTitle(title);
    const goBack = async (version: V) => {
      try {
        await revert(version);
        tell("Reverted.");
        again();
      } catch (error) {
        tellProblem(error);
      }
    };
    if (problem) return <RefusalOf problem={problem} onRetry={again} />;
    if (!data) return <p>Loading …</p>;
    const { versions, next } = list(data);
    const isOfOne = recordOf(name, query) !== null;
    const newest = newestOf(versions, subject, query);
    return (
      <div class="Versions">
        <h1>{title}</h1>
        <Kinds current={name} />
        {versions.length === 0 && <p>There are no edits.</p>}
        <ol class="Versions-list">
          {versions.map((version) => (
            <VersionItem
              key={version.id}
              version={version}
              subject={subject(version)}
              fields={fields}
              historyUrl={isOfOne ? null : versionsUrl(name, { [`${name}_id`]: subject(version).id })}
              isNewest={newest.has(version)}
              onRevert={goBack}
            />
          ))}
        </ol>
        <Pages name={name} query={query} next={next} />
      </div>
    );
  };
}
