/** Adding files: dropped or pasted anywhere on the page, chosen, or by URL. */
import { useId, useLayoutEffect, useState } from "preact/hooks";
import { isField } from "../../lib/keys.js";
import { bytes } from "../../lib/time.js";
import { Icon } from "../../parts/icon.js";
import { type Accepted, addFiles, addUrls } from "./items.js";

/** Adds what was dropped or pasted. @returns whether it was a file or URL */
function take(data: DataTransfer | null, accepted: Accepted): boolean {
  if (!data) return false;
  const { files } = data;
  if (files.length > 0) addFiles(files, accepted);
  return files.length > 0 || addUrls(data.getData("text/uri-list") || data.getData("text/plain"));
}

/** Whether it is a text, perhaps with a picture of it, as of the cells of a table. */
const isText = ({ files, types }: DataTransfer): boolean =>
  files.length === 0 || (types.includes("text/plain") && types.includes("text/html"));

/** @returns whether something is dragged over the page */
function useDropsAndPastes(accepted: Accepted): boolean {
  const [isOver, setOver] = useState(false);
  useLayoutEffect(() => {
    const ended = new AbortController();
    const { signal } = ended;
    const onDrop = (event: DragEvent) => {
      setOver(false);
      if (isField(event.target) && event.dataTransfer?.files.length === 0) return; // text for the field
      event.preventDefault();
      take(event.dataTransfer, accepted);
    };
    const onPaste = (event: ClipboardEvent) => {
      if (isField(event.target) && event.clipboardData && isText(event.clipboardData)) return;
      if (take(event.clipboardData, accepted)) event.preventDefault();
    };
    const onDragOver = (event: DragEvent) => {
      if (isField(event.target) && !event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      setOver(true);
    };
    document.addEventListener("drop", onDrop, { signal });
    document.addEventListener("paste", onPaste, { signal });
    document.addEventListener("dragover", onDragOver, { signal });
    document.addEventListener("dragleave", ({ relatedTarget }) => !relatedTarget && setOver(false), { signal });
    return () => ended.abort();
  }, [accepted]);
  return isOver;
}

/** File extensions to choose from; JPEG has two. */
const acceptOf = (fileTypes: readonly string[]): string =>
  fileTypes.flatMap((type) => (type === "jpg" ? [".jpg", ".jpeg"] : [`.${type}`])).join(",");

function UrlField() {
  const [text, setText] = useState("");
  const [isWrong, setWrong] = useState(false);
  const id = useId();
  const add = () => {
    const isTaken = addUrls(text);
    setWrong(!isTaken);
    if (isTaken) setText("");
  };
  return (
    <div class="Field Choose-url">
      <label for={id}>File URL</label>
      <p>
        <input
          id={id}
          type="url"
          value={text}
          placeholder="https://"
          autocomplete="off"
          aria-invalid={isWrong ? "true" : undefined}
          aria-describedby={isWrong ? `${id}-problem` : undefined}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.ctrlKey || event.metaKey) return;
            event.preventDefault();
            add();
          }}
        />
        <button class="Button" type="button" onClick={add}>
          Add
        </button>
      </p>
      {isWrong && (
        <p class="Field-problem" id={`${id}-problem`} role="alert">
          This is not a web address.
        </p>
      )}
    </div>
  );
}

/** Moves the focus to the field of files, from a button that is about to be removed. */
export const focusFiles = (): void => document.querySelector<HTMLElement>(".Choose [type=file]")?.focus();

export function Choose({ accepted }: { accepted: Accepted }) {
  const { fileTypes, limit } = accepted;
  const isOver = useDropsAndPastes(accepted);
  return (
    <section class="Choose" data-over={isOver} aria-label="Files">
      <p class="Choose-files">
        <label class="Button is-first">
          <Icon name="upload" />
          Choose files
          <input
            class="Unseen"
            type="file"
            multiple
            accept={acceptOf(fileTypes)}
            onChange={({ currentTarget }) => {
              addFiles(currentTarget.files ?? [], accepted);
              currentTarget.value = "";
            }}
          />
        </label>
        <span>
          or drop or paste them anywhere on this page: {fileTypes.join(", ")}, {bytes(limit)} at most.
        </span>
      </p>
      <UrlField />
    </section>
  );
}
