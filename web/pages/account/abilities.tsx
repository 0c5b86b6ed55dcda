/** What the viewer's level allows, and what it does not. */
import type { AccountQuery } from "./__generated__/account.js";

type Abilities = AccountQuery["board"]["viewerCan"];

const WORDS: readonly (readonly [ability: Exclude<keyof Abilities, "__typename">, words: string])[] = [
  ["contribute", "Edit posts, tags, notes, pools and wiki pages"],
  ["contribute", "Comment, vote and keep favorites"],
  ["upload", "Upload"],
  ["editMany", "Edit several posts at once"],
  ["uploadFree", "Upload without waiting for approval"],
  ["seeBanned", "See the files of banned posts"],
  ["lockPosts", "Lock notes and ratings"],
  ["moderate", "Approve and delete posts"],
  ["banUsers", "Ban users"],
];

const List = ({ title, items }: { title: string; items: readonly string[] }) =>
  items.length === 0 ? null : (
    <div>
      <h3>{title}</h3>
      <ul class="Account-abilities">
        {items.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
    </div>
  );

export function Abilities({ can, level }: { can: Abilities; level: string }) {
  const those = (may: boolean) => WORDS.filter(([ability]) => can[ability] === may).map(([, words]) => words);
  return (
    <section aria-labelledby="abilities">
      <h2 id="abilities">Permissions</h2>
      <p>
        Your level is {level}.{!can.moderate && " Moderators can raise it."} What has no button on these pages needs a
        program with your API key.
      </p>
      <List title="You can" items={those(true)} />
      <List title="You can't" items={those(false)} />
    </section>
  );
}
