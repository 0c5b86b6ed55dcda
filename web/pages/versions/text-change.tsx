/** The change of a text: added and removed words, with some of the text around them. */
import { diffWordsWithSpace } from "diff";

/** Time limit for finding the smallest difference; beyond it, the whole text is shown as replaced. */
const PATIENCE_MILLISECONDS = 100;
/** Characters of unchanged text that are shown beside a change. */
const AROUND = 120;

type Part = { text: string; is: "same" | "added" | "removed" };

function partsOf(before: string, after: string): Part[] {
  const changes = diffWordsWithSpace(before, after, { timeout: PATIENCE_MILLISECONDS });
  if (!changes)
    return [
      { text: before, is: "removed" },
      { text: after, is: "added" },
    ];
  return changes.map(({ value, added, removed }) => ({
    text: value,
    is: added ? "added" : removed ? "removed" : "same",
  }));
}

/** An unchanged part of a text, without its middle. */
function around(text: string, isFirst: boolean, isLast: boolean): string {
  const [start, end] = [isFirst ? 0 : AROUND, isLast ? 0 : AROUND];
  if (text.length <= start + end + 20) return text;
  return `${text.slice(0, start)} … ${end > 0 ? text.slice(-end) : ""}`;
}

export function TextChange({ label, before, after }: { label: string; before: string; after: string }) {
  const parts = partsOf(before, after);
  return (
    <div class="Version-text" role="group" aria-label={label}>
      <p>{label}:</p>
      <div dir="auto">
        {parts.map(({ text, is }, index) => {
          if (is === "added") return <ins key={index}>{text}</ins>;
          if (is === "removed") return <del key={index}>{text}</del>;
          return <span key={index}>{around(text, index === 0, index === parts.length - 1)}</span>;
        })}
      </div>
    </div>
  );
}
