/** A choice of rating. */
import { RATING_NAMES, type RatingName } from "../lib/rating.js";

interface Props {
  name: string;
  value: RatingName | null;
  onChange: (rating: RatingName) => void;
  isRequired?: boolean;
}

export const RatingField = ({ name, value, onChange, isRequired = true }: Props) => (
  <fieldset class="Field Rating">
    <legend class="Field-label">Rating</legend>
    <p class="Rating-choices">
      {(Object.keys(RATING_NAMES) as RatingName[]).map((each) => (
        <label key={each}>
          <input
            type="radio"
            name={name}
            value={each}
            checked={value === each}
            required={isRequired}
            onChange={() => onChange(each)}
          />
          {RATING_NAMES[each]}
        </label>
      ))}
    </p>
  </fieldset>
);
