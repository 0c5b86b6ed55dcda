/** The buttons of a form that is opened to change something, and closed again. */
interface Props {
  isSaving: boolean;
  /** whether there is nothing that could be saved */
  isEmpty?: boolean;
  onCancel: () => void;
}

export const FormButtons = ({ isSaving, isEmpty = false, onCancel }: Props) => (
  <p class="FormButtons">
    <button class="Button is-first" type="submit" disabled={isSaving || isEmpty}>
      Save
    </button>
    <button class="Button" type="button" onClick={onCancel}>
      Cancel
    </button>
  </p>
);
