/** A choice of how explicit a post is. */
export type RatingName = "SAFE" | "QUESTIONABLE" | "EXPLICIT";
const NAMES: Readonly<Record<RatingName, string>> = {
  SAFE: "Safe",
  QUESTIONABLE: "Questionable",
  EXPLICIT: "Explicit",
};

interface Props {
  name: string;
  value: RatingName | null;
  onChange: (rating: RatingName) => void;
}

export const RatingField = ({ name, value, onChange }: Props) => (
  <fieldset class="Field Rating">
    <legend class="Field-label">Rating</legend>
    <p class="Rating-choices">
      {(Object.keys(NAMES) as RatingName[]).map((each) => (
        <label key={each}>
          <input
            type="radio"
            name={name}
            value={each}
            checked={value === each}
            required
            onChange={() => onChange(each)}
          />
          {NAMES[each]}
        </label>
      ))}
    </p>
  </fieldset>
);
