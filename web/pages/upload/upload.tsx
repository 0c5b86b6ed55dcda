/** Uploading many files at once, with fields for all of them and for each. */
import type { TargetedKeyboardEvent, TargetedSubmitEvent } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { useDocument } from "../../lib/graphql.js";
import { useShortcuts } from "../../lib/keys.js";
import { readdress } from "../../lib/router.js";
import { loginUrl } from "../../lib/session.js";
import { useTitle } from "../../lib/title.js";
import { draftName } from "../../lib/upload-draft.js";
import { FrequentTags } from "../../parts/frequent-tags.js";
import { RatingField } from "../../parts/rating.js";
import { Refusal, RefusalOf } from "../../parts/refusal.js";
import { TagField } from "../../parts/tag-field.js";
import { TagPreview } from "../../parts/tag-preview.js";
import { type Place, searchUrl, userSearch } from "../../routes.js";
import { UploadPageDocument, type UploadPageQuery } from "./__generated__/upload.js";
import { Choose, focusFiles } from "./choose.js";
import { UploadItem } from "./item.js";
import { absent, addUrls, clear, common, isOpen, isUnderWay, items, postAll, takeUp } from "./items.js";
import "./upload.css";

export { UploadPageDocument as document };

type Viewer = NonNullable<UploadPageQuery["viewer"]>;

const files = (number: number): string => (number === 1 ? "1 file" : `${number} files`);

function discard(): void {
  focusFiles();
  absent.value = [];
}

function clearList(): void {
  focusFiles();
  clear();
}

function Absent() {
  if (absent.value.length === 0) return null;
  const names = absent.value.map(draftName).join(", ");
  const those = absent.value.length === 1 ? "file" : "files";
  return (
    <p class="Upload-absent">
      <span dir="auto">
        Your draft for {files(absent.value.length)} is saved. Choose the same {those} again to continue: {names}.
      </span>
      <button class="Button" type="button" onClick={discard}>
        Discard
      </button>
    </p>
  );
}

function Common() {
  const { tags, rating } = common.value;
  const change = (text: string) => (common.value = { ...common.value, tags: text });
  return (
    <section class="Upload-common" aria-label="For all files">
      <div class="Field">
        <span class="Field-label" aria-hidden="true">
          Tags for all
        </span>
        <TagField name="common-tags" label="Tags for all" value={tags} onChange={change} rows={2} />
        <FrequentTags value={tags} onChange={change} />
        <TagPreview tagString={tags} />
      </div>
      <RatingField
        name="common-rating"
        isRequired={items.value.some((item) => isOpen(item) && item.rating === null)}
        value={rating}
        onChange={(chosen) => (common.value = { ...common.value, rating: chosen })}
      />
    </section>
  );
}

/** The number of items by state. */
function summary(): string {
  const many = (is: string) => items.value.filter(({ state }) => state.is === is).length;
  const said = [
    [many("posted"), "posted"],
    [items.value.filter(isUnderWay).length, "in progress"],
    [many("duplicate"), "already on the board"],
    [many("refused"), "refused"],
  ] as const;
  return said.flatMap(([number, word]) => (number > 0 ? `${number} ${word}` : [])).join(", ");
}

function Foot({ viewer, isFree }: { viewer: Viewer; isFree: boolean }) {
  const open = items.value.filter(isOpen).length;
  const hasDone = items.value.some(({ state }) => state.is === "posted" || state.is === "duplicate");
  return (
    <footer class="Upload-foot">
      <p role="status">{summary()}</p>
      <p class="Unseen" role="status">
        {open > 0 && `${files(open)} to post`}
      </p>
      {hasDone && (
        <>
          <a href={searchUrl(userSearch(viewer.name))}>Your uploads</a>
          <button class="Button is-bare" type="button" onClick={clearList}>
            Clear the list
          </button>
        </>
      )}
      {!isFree && open > 0 && <p class="Upload-hint">Your uploads need approval.</p>}
      <button class="Button is-first" type="submit" aria-disabled={open === 0} title="Ctrl Enter">
        {open > 0 ? `Post ${files(open)}` : "Post"}
      </button>
    </footer>
  );
}

/** Enter belongs to buttons and text fields; Ctrl Enter or ⌘ Enter posts everything. */
function onKeyDown(event: TargetedKeyboardEvent<HTMLFormElement>): void {
  const { target, key } = event;
  if (key !== "Enter" || !(target instanceof HTMLInputElement)) return;
  if (!event.ctrlKey && !event.metaKey && target.type !== "file") event.preventDefault();
}

function Form({ viewer, board }: { viewer: Viewer; board: UploadPageQuery["board"] }) {
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    const onKey = ({ key, ctrlKey, metaKey, target }: KeyboardEvent) => {
      if ((target as Element).closest("a, [role=search]")) return; // these keys open a link in a tab
      if (key === "Enter" && (ctrlKey || metaKey) && items.value.some(isOpen)) form.current?.requestSubmit();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  const accepted = useMemo(() => ({ fileTypes: board.fileTypes, limit: board.maxUploadBytes }), [board]);
  useShortcuts([{ keys: "Ctrl+Enter", does: "Post", run: () => undefined }]);
  const onSubmit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    document.activeElement?.closest<HTMLElement>(".UploadItem")?.focus({ preventScroll: true }); // its fields disappear
    postAll();
  };
  return (
    <form class="Upload" aria-label="Upload" ref={form} onSubmit={onSubmit} onKeyDown={onKeyDown}>
      <h1>Upload</h1>
      <Choose accepted={accepted} />
      <Common />
      <Absent />
      <ul class="Upload-items" aria-label="Files to upload">
        {items.value.map((item) => (
          <UploadItem key={item.key} item={item} />
        ))}
      </ul>
      <Foot viewer={viewer} isFree={board.viewerCan.uploadFree} />
    </form>
  );
}

export function Page({ place }: { place: Place }) {
  useTitle("Upload");
  const { data, problem, again } = useDocument(UploadPageDocument, {});
  const { viewer, board } = data ?? {};
  useLayoutEffect(() => {
    if (!viewer) return;
    void takeUp().then(() => addUrls(place.query.get("url") ?? ""));
    readdress(place, "/upload"); // on return it is not added again
  }, [viewer?.id]);
  // a user who was banned meanwhile may upload nothing
  const isForbidden = items.value.some(
    ({ state }) => state.is === "refused" && state.problem.code === "FORBIDDEN" && !state.problem.needsLogin,
  );
  useLayoutEffect(() => {
    if (isForbidden) again();
  }, [isForbidden]);
  if (problem?.needsLogin || (data && !viewer))
    return (
      <div class="Refusal">
        <h1>Upload</h1>
        <p>
          <a href={loginUrl()}>Sign in</a> to upload.
        </p>
      </div>
    );
  if (problem) return <RefusalOf problem={problem} onRetry={again} />;
  if (!viewer || !board) return <p>Loading …</p>;
  if (!board.viewerCan.upload) return <Refusal title="Upload" message="Your account may not upload." onRetry={again} />;
  return <Form viewer={viewer} board={board} />;
}
