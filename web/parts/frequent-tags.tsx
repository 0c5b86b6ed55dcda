/** The frequent tags of the viewer's settings, as buttons that put them into a field of tags, or take them out. */
import { useDocument } from "../lib/graphql.js";
import { tagsIn, toggled } from "../lib/tags.js";
import { words } from "../titles.js";
import { FrequentTagsDocument } from "./__generated__/frequent-tags.js";
import "./frequent-tags.css";

interface Props {
  /** the text of the field */
  value: string;
  onChange: (text: string) => void;
}

export function FrequentTags({ value, onChange }: Props) {
  const { data } = useDocument(FrequentTagsDocument, {});
  const tags = tagsIn(data?.viewer?.settings?.favoriteTags ?? "");
  if (tags.length === 0) return null;
  const there = new Set(tagsIn(value));
  return (
    <div class="FrequentTags" role="group" aria-label="Frequent tags">
      {tags.map((tag) => (
        <button
          key={tag}
          class="Button"
          type="button"
          dir="auto"
          aria-pressed={there.has(tag)}
          onClick={() => onChange(toggled(value, tag))}
        >
          {words(tag)}
        </button>
      ))}
    </div>
  );
}
