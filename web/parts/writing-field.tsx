/** A field for a longer text, with a preview; titles are suggested in its links. */
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Problem } from "../lib/errors.js";
import { ask } from "../lib/graphql.js";
import { PreviewDocument } from "./__generated__/preview.js";
import { problemsOf, sendByKey } from "./form.js";
import { ProblemLine } from "./problem-line.js";
import { Prose } from "./prose.js";
import { TagField } from "./tag-field.js";

interface Props {
  id: string;
  label: string;
  value: string;
  onChange: (text: string) => void;
  problem: Problem | null;
  /** buttons of its form, beside that of the preview */
  children: ComponentChildren;
}

export function WritingField({ id, label, value, onChange, problem: refused, children }: Props) {
  const wrong = problemsOf(refused, "body", label);
  const [preview, setPreview] = useState<string | null>(null);
  useLayoutEffect(() => {
    if (value === "") setPreview(null); // the text was sent
  }, [value]);
  const latest = useRef(value);
  latest.current = value;
  const show = async () => {
    if (preview !== null) return setPreview(null);
    const html = await ask(PreviewDocument, { text: value }).then(
      ({ renderText }) => renderText,
      (error: unknown) => `<p>${error instanceof Problem ? "The preview is not available." : ""}</p>`,
    );
    if (latest.current === value) setPreview(html); // not over what is being written
  };
  return (
    <div class="Field" onKeyDown={sendByKey}>
      <label for={id}>{label}</label>
      {preview === null ? (
        <TagField
          id={id}
          kind="WIKI_PAGE"
          label={label}
          rows={4}
          value={value}
          onChange={onChange}
          isInvalid={wrong !== ""}
          describedBy={wrong ? `${id}-problem` : undefined}
        />
      ) : (
        <div class="Field-preview" id={id} tabIndex={-1}>
          <Prose html={preview} />
        </div>
      )}
      {wrong && (
        <p class="Field-problem" id={`${id}-problem`} role="alert">
          {wrong}
        </p>
      )}
      {refused && !wrong && <ProblemLine problem={refused} />}
      <p class="FormButtons">
        {children}
        <button
          class="Button is-bare"
          type="button"
          disabled={value.trim() === ""}
          aria-pressed={preview !== null}
          onClick={() => void show()}
        >
          Preview
        </button>
      </p>
    </div>
  );
}
