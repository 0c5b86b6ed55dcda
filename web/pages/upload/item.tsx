/** An item of an upload: preview, progress, fields and errors. */
import type { Signal } from "@preact/signals";
import { useId } from "preact/hooks";
import { RATING_NAMES, type RatingName } from "../../lib/rating.js";
import { bytes } from "../../lib/time.js";
import { problemsOf, WHOLE_NUMBER } from "../../parts/form.js";
import { Icon } from "../../parts/icon.js";
import { TagField } from "../../parts/tag-field.js";
import { TagPreview } from "../../parts/tag-preview.js";
import { postUrl } from "../../routes.js";
import { focusFiles } from "./choose.js";
import { alter, forgetPicture, type Item, isOpen, isUnderWay, isWithBoard, nameOf, post, remove } from "./items.js";
import { Refused } from "./refused.js";

function Picture({ item: { key, file, picture } }: { item: Item }) {
  if (!picture) return <Icon name="upload" size={24} />;
  const shared = { src: picture, onError: () => forgetPicture(key) }; // browsers can't show every file
  return file?.type.startsWith("video/") ? (
    <video {...shared} muted playsInline preload="metadata" />
  ) : (
    <img {...shared} alt="" decoding="async" draggable={false} />
  );
}

/** The element that says why an item was refused. */
const reasonOf = ({ key }: Item): string => `refused-${key}`;

/** How much of an item was sent; rendered by itself, since it changes often. */
const Sent = ({ part, name }: { part: Signal<number>; name: string }) => (
  <>
    <progress max={1} value={part.value} aria-label={`Progress of ${name}`} />
    <span>{Math.floor(part.value * 100)} %</span>
  </>
);

function Status({ item }: { item: Item }) {
  const { state } = item;
  const name = nameOf(item);
  if (state.is === "waiting") return <p class="UploadItem-status">Waiting</p>;
  if (state.is === "sending")
    return (
      <p class="UploadItem-status">
        {state.part ? (
          <Sent part={state.part} name={name} />
        ) : (
          <>
            <progress aria-label={`Progress of ${name}`} />
            <span>Processing</span>
          </>
        )}
      </p>
    );
  if (state.is === "posted")
    return (
      <p class="UploadItem-status is-good">
        <Icon name="check" />
        <span>
          Posted as <a href={postUrl(state.postId)}>post {state.postId}</a>
        </span>
      </p>
    );
  if (state.is === "duplicate")
    return (
      <p class="UploadItem-status">
        <span>
          Already on the board as <a href={postUrl(state.postId)}>post {state.postId}</a>
        </span>
      </p>
    );
  if (state.is !== "refused") return null;
  return <Refused problem={state.problem} id={reasonOf(item)} onRetry={state.isFinal ? null : () => post(item.key)} />;
}

/** What the board calls the fields. */
const INPUTS = { tags: "tagString", source: "source", parent: "parentId" } as const;

function Fields({ item }: { item: Item }) {
  const { key, tags, rating, source, parent, state } = item;
  const id = useId();
  const name = nameOf(item);
  const problem = state.is === "refused" ? state.problem : null;
  const invalid = (field: keyof typeof INPUTS) =>
    problemsOf(problem, INPUTS[field], "") ? ("true" as const) : undefined;
  const input = (field: "source" | "parent", label: string) => (
    <p class="Field">
      <label for={`${id}-${field}`}>{label}</label>
      <input
        id={`${id}-${field}`}
        value={field === "source" ? source : parent}
        {...(field === "source" ? { inputMode: "url" as const } : WHOLE_NUMBER)}
        aria-label={`${label} of ${name}`}
        aria-invalid={invalid(field)}
        aria-describedby={invalid(field) && reasonOf(item)}
        autocomplete="off"
        dir="auto"
        onInput={({ currentTarget }) => alter(key, { [field]: currentTarget.value })}
      />
    </p>
  );
  return (
    <div class="UploadItem-fields">
      <div class="Field UploadItem-tags">
        <TagField
          name="tags"
          label={`Tags of ${name}`}
          placeholder="More tags for this file"
          value={tags}
          onChange={(text) => alter(key, { tags: text })}
          rows={2}
          isInvalid={invalid("tags") !== undefined}
          describedBy={invalid("tags") && reasonOf(item)}
        />
        <TagPreview tagString={tags} />
      </div>
      <p class="Field">
        <label for={`${id}-rating`}>Rating</label>
        <select
          id={`${id}-rating`}
          aria-label={`Rating of ${name}`}
          value={rating ?? ""}
          onChange={({ currentTarget }) => alter(key, { rating: (currentTarget.value || null) as RatingName | null })}
        >
          <option value="">Same as for all</option>
          {Object.entries(RATING_NAMES).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </p>
      {input("parent", "Parent")}
      {item.file && input("source", "Source")}
    </div>
  );
}

/** Moves the focus from the button of an item, which is about to be removed, to that of the next one, or else of the one before. */
function leave(button: HTMLElement): void {
  const item = button.closest("li");
  const near = item?.nextElementSibling ?? item?.previousElementSibling;
  if (near) (near.querySelector<HTMLElement>("button:enabled") ?? (near as HTMLElement)).focus();
  else focusFiles();
}

export function UploadItem({ item }: { item: Item }) {
  const { key, file } = item;
  const name = nameOf(item);
  return (
    <li class="UploadItem" data-state={item.state.is} aria-label={name} tabIndex={-1}>
      <div class="UploadItem-picture">
        <Picture item={item} />
      </div>
      <div class="UploadItem-body">
        <p class="UploadItem-head">
          <span class="UploadItem-name" dir="auto">
            {name}
          </span>
          {file && <span class="UploadItem-size">{bytes(file.size)}</span>}
          <button
            class="Button is-bare"
            type="button"
            aria-label={isUnderWay(item) ? `Cancel ${name}` : `Remove ${name}`}
            disabled={isWithBoard(item)}
            onClick={({ currentTarget }) => {
              leave(currentTarget);
              remove(key);
            }}
          >
            <Icon name="close" />
          </button>
        </p>
        <Status item={item} />
        {isOpen(item) && <Fields item={item} />}
      </div>
    </li>
  );
}
