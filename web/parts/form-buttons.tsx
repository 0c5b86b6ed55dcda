/** The buttons of a form that is opened for an edit and closed afterwards. */
interface Props {
  isSaving: boolean;
  /** whether there is nothing to save */
  isEmpty?: boolean;
  onCancel: () => void;
}

export const FormButtons = ({ isSaving, isEmpty = false, onCancel }: Props) => (
  <>
    <button class="Button is-first" type="submit" aria-disabled={isSaving || isEmpty}>
      Save
    </button>
    <button class="Button" type="button" onClick={onCancel}>
      Cancel
    </button>
  </>
);
