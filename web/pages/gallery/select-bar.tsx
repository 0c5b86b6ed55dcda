/** The bar to edit the tags of selected posts. */
import { useState } from "preact/hooks";
import { explained } from "../../lib/countdown.js";
import { sentence } from "../../titles.js";
import { change } from "../../lib/graphql.js";
import { selection, choose } from "../../lib/selection.js";
import { store, stored } from "../../lib/stored.js";
import { useShell } from "../../lib/shell.js";
import { postsInWords } from "../../lib/time.js";
import { TagField } from "../../parts/tag-field.js";
import { EditManyDocument, type EditManyMutation } from "../../parts/__generated__/edit-many.js";
import "./select-bar.css";

/** The key of the typed tags, until they are saved: the session may end, or the bar be closed. */
const UNSAVED = "edit of posts";

type Refusal = NonNullable<EditManyMutation["updatePosts"]>["refusals"][number];

/** The refused posts, by reason. */
function Refusals({ list }: { list: readonly Refusal[] }) {
  const reasons = [...new Set(list.map(({ reason }) => reason))];
  return (
    <ul class="SelectBar-refusals">
      {reasons.map((reason) => (
        <li key={reason}>
          {sentence(reason)} (
          {list
            .filter((each) => each.reason === reason)
            .map(({ postId }) => `post ${postId}`)
            .join(", ")}
          )
        </li>
      ))}
    </ul>
  );
}

/** @param page the posts of the current page */
export function SelectBar({ page, onDone }: { page: readonly number[]; onDone: () => void }) {
  const most = useShell()?.board.maxPostsPerEdit ?? 0;
  const [tags, show] = useState(() => stored(UNSAVED, "sessionStorage"));
  const setTags = (text: string) => {
    show(text);
    store(UNSAVED, text, "sessionStorage");
  };
  const [said, setSaid] = useState("");
  const [refusals, setRefusals] = useState<readonly Refusal[]>([]);
  const [isSaving, setSaving] = useState(false);
  const chosen = [...(selection.value ?? [])];

  const isReady = !isSaving && tags.trim() !== "" && chosen.length > 0 && chosen.length <= most;

  const save = async () => {
    setSaving(true);
    setRefusals([]);
    try {
      const { updatePosts } = await change(EditManyDocument, { postIds: chosen, tagChanges: tags });
      const { posts: edited = [], refusals: refused = [] } = updatePosts ?? {};
      setSaid(`${postsInWords(edited.length)} edited.`);
      setRefusals(refused);
      const done = new Set(edited.map(({ id }) => id));
      // perhaps others are selected by now, or none
      if (selection.value) selection.value = new Set([...selection.value].filter((id) => !done.has(id)));
      if (refused.length === 0) setTags("");
    } catch (error) {
      setSaid(explained(error));
    } finally {
      setSaving(false);
    }
  };
  return (
    <form
      class="SelectBar"
      aria-label="Edit the selected posts"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) void save();
      }}
    >
      <p class="SelectBar-count">
        <b>{postsInWords(chosen.length)} selected</b>
        {chosen.length > most && ` of at most ${most}`}
      </p>
      <p class="SelectBar-buttons">
        <button class="Button" type="button" onClick={() => choose(page)}>
          Select page
        </button>
        <button
          class="Button"
          type="button"
          aria-disabled={chosen.length === 0}
          onClick={() => (selection.value = new Set())}
        >
          None
        </button>
        <button class="Button" type="button" onClick={onDone}>
          Done
        </button>
      </p>
      <TagField
        name="tags"
        label="Tags to add, or to remove with -"
        placeholder="Tags to add, -tag to remove"
        class="SelectBar-field"
        value={tags}
        onChange={setTags}
        opensUp
      />
      <button class="Button is-first" type="submit" aria-disabled={!isReady}>
        Edit {postsInWords(chosen.length)}
      </button>
      <div class="SelectBar-said" role="status">
        {said && <p>{said}</p>}
        {refusals.length > 0 && <Refusals list={refusals} />}
      </div>
    </form>
  );
}
