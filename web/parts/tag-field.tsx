/** A field with suggestions: a combobox for searches, tags of a post, and links within a text. */
import type { TargetedKeyboardEvent } from "preact";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { aMinuteAgo, ask } from "../lib/graphql.js";
import { seenTags } from "../lib/seen-tags.js";
import { shortCount } from "../lib/time.js";
import { completed, linkAt, linked, type Typed, typedAt } from "../lib/typing.js";
import { words } from "../titles.js";
import { SuggestDocument, type SuggestQuery } from "./__generated__/suggest.js";
import "./tag-field.css";

type Suggestion = Pick<SuggestQuery["autocomplete"]["nodes"][number], "type" | "label" | "value"> &
  Partial<SuggestQuery["autocomplete"]["nodes"][number]>;

const WAIT_MILLISECONDS = 60;
const MOST_SEEN = 10;
/** Recent searches, listed below the suggestions. */
const MOST_RECENT = 3;

/** A kind of field: how its text is parsed, and how a suggestion is inserted. */
const KINDS = {
  TAG: { at: typedAt, put: completed, enterKeyHint: "done" },
  TAG_QUERY: { at: typedAt, put: completed, enterKeyHint: "search" },
  WIKI_PAGE: { at: linkAt, put: linked, enterKeyHint: "enter" },
} as const;
type Kind = keyof typeof KINDS;

const suggest = async (query: string, type: Kind): Promise<Suggestion[]> =>
  (await ask(SuggestDocument, { query, type }, { since: aMinuteAgo() })).autocomplete.nodes;

/** Suggestions until the board has answered: matching ones of the previous list, else tags that were shown. */
function remembered(word: string, before: readonly Suggestion[]): Suggestion[] {
  const fitting = before.filter((each) => stillFits(each, word));
  if (fitting.length > 0) return fitting;
  return seenTags(word.toLowerCase(), MOST_SEEN).map(({ name: value, category, postCount }) => ({
    type: "tag",
    label: words(value),
    value,
    category: category as NonNullable<Suggestion["category"]>,
    postCount,
  }));
}

/** Whether a suggestion for a prefix also matches the longer one typed now. */
const stillFits = ({ type, value, antecedent }: Suggestion, word: string): boolean =>
  type !== "recent" && [value, antecedent].some((text) => text?.toLowerCase().startsWith(word.toLowerCase()));

/** The `ref` of the selected suggestion: scrolls to it where the list is longer than its room. */
const reveal = (option: HTMLElement | null): void => option?.scrollIntoView({ block: "nearest" });

/** The next index of a list, or -1 (none) past its ends. */
const stepped = (from: number, step: number, length: number): number =>
  ((from + 1 + step + length + 1) % (length + 1)) - 1;

interface Props {
  id?: string;
  name?: string;
  label: string;
  value: string;
  onChange: (text: string) => void;
  /** tags of a post; terms of a search, including meta-tags; or a text with links to wiki pages */
  kind?: Kind;
  /** suggested while the field is empty */
  recent?: () => string[];
  onRecent?: (text: string) => void;
  rows?: number;
  placeholder?: string;
  class?: string;
  describedBy?: string | undefined;
  isInvalid?: boolean;
  /** suggestions open above the field, which is at the bottom of the window */
  opensUp?: boolean;
}

export function TagField(props: Props) {
  const { name, label, value, onChange, kind = "TAG", rows = 1 } = props;
  const { at: read, put, enterKeyHint } = KINDS[kind];
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const caret = useRef<number | null>(null);
  const id = useId();
  const [typed, setTyped] = useState<Typed | null>(null);
  const [list, setList] = useState<Suggestion[]>([]);
  const [chosen, setChosen] = useState(-1);
  const shown = useRef(list);
  shown.current = list;
  const isOpen = list.length > 0;

  const close = () => {
    setTyped(null);
    setList([]);
    setChosen(-1);
  };

  useEffect(() => {
    if (!typed || typed.word === "") return undefined;
    let isOver = false;
    const show = (found: Suggestion[]) => {
      if (isOver) return;
      const text = field.current?.value.trim().toLowerCase() ?? "";
      const before = recents().filter(({ value: each }) => each.toLowerCase().startsWith(text) && each !== text);
      const next = [...found, ...before.slice(0, MOST_RECENT)];
      const was = shown.current;
      setList(next);
      // keeps the selected suggestion when the list is updated
      setChosen((at) => next.findIndex(({ type, value: each }) => type === was[at]?.type && each === was[at].value));
    };
    const timer = setTimeout(() => {
      suggest(typed.word, kind).then(show, () => undefined);
    }, WAIT_MILLISECONDS);
    return () => {
      clearTimeout(timer);
      isOver = true;
    };
  }, [typed?.word, kind]);

  // the caret moves to the end of the suggestion once the text is in the field, before the next key
  useLayoutEffect(() => {
    if (caret.current === null) return;
    field.current?.setSelectionRange(caret.current, caret.current);
    caret.current = null;
  }, [value]);

  const look = (text: string) => {
    const at = read(text, field.current?.selectionStart ?? text.length);
    setTyped(at);
    setChosen(-1);
    if (at.word === "") setList(text.trim() === "" ? recents() : []);
    else setList((before) => remembered(at.word, before));
  };
  const recents = (): Suggestion[] =>
    (props.recent?.() ?? []).map((each) => ({ type: "recent", label: each, value: each }));

  const choose = (suggestion: Suggestion) => {
    close();
    field.current?.focus();
    if (suggestion.type === "recent") return props.onRecent?.(suggestion.value);
    const text = field.current?.value ?? value;
    const done = put(text, typed ?? read(text, text.length), suggestion.value);
    caret.current = done.caret;
    onChange(done.text);
    if (suggestion.value.endsWith(":")) setTyped(read(done.text, done.caret)); // its values are suggested
  };

  const onKeyDown = (event: TargetedKeyboardEvent<HTMLElement>) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && isOpen) {
      event.preventDefault();
      setChosen(stepped(chosen, step, list.length));
    } else if ((event.key === "Enter" || (event.key === "Tab" && !event.shiftKey)) && chosen >= 0) {
      event.preventDefault();
      event.stopPropagation(); // nor does Ctrl Enter send the form
      choose(list[chosen] as Suggestion);
    } else if (event.key === "Enter" && rows === 1) {
      close(); // the form is sent
    } else if (event.key === "Escape" && isOpen) {
      event.preventDefault();
      event.stopPropagation();
      close();
    }
  };

  const shared = {
    ref: field,
    name,
    value,
    id: props.id ?? `${id}-field`,
    class: props.class,
    placeholder: props.placeholder,
    "aria-label": label,
    "aria-autocomplete": "list",
    "aria-controls": `${id}-list`,
    "aria-activedescendant": chosen >= 0 ? `${id}-${chosen}` : undefined,
    "aria-describedby": props.describedBy,
    "aria-invalid": props.isInvalid ? "true" : undefined,
    autocomplete: "off",
    ...(kind === "WIKI_PAGE" ? {} : ({ autocapitalize: "none", spellcheck: false } as const)),
    enterKeyHint,
    dir: "auto",
    onKeyDown,
    onInput: (event: { currentTarget: { value: string } }) => {
      onChange(event.currentTarget.value);
      look(event.currentTarget.value);
    },
    onFocus: () => value.trim() === "" && setList(recents()),
    onBlur: close,
  } as const;
  return (
    <div class="TagField">
      {rows > 1 ? (
        // a field of several lines is a textbox, which has no aria-expanded
        <textarea {...shared} rows={rows} />
      ) : (
        <input {...shared} role="combobox" aria-expanded={isOpen} />
      )}
      <ul
        class={props.opensUp ? "TagField-list is-above" : "TagField-list"}
        id={`${id}-list`}
        role="listbox"
        aria-label="Suggestions"
        hidden={!isOpen}
      >
        {list.map((each, index) => (
          <li
            key={`${each.type} ${each.value}`}
            ref={index === chosen ? reveal : null}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === chosen}
            data-category={each.category?.toLowerCase()}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => choose(each)}
          >
            <span class="TagField-name" dir={each.antecedent ? "ltr" : "auto"}>
              {each.antecedent && (
                <span class="TagField-alias">
                  <bdi>{each.antecedent}</bdi> →{" "}
                </span>
              )}
              <bdi>{each.label}</bdi>
            </span>
            {typeof each.postCount === "number" && <span class="TagField-count">{shortCount(each.postCount)}</span>}
            {each.type === "recent" && <span class="TagField-count">recent</span>}
          </li>
        ))}
      </ul>
    </div>
  );
}
