/** The viewer's sessions. */
import { useRef } from "preact/hooks";
import { change } from "../../lib/graphql.js";
import { browserOf } from "../../lib/user-agent.js";
import { Moment } from "../../parts/moment.js";
import { tellProblem } from "../../parts/toast.js";
import { type AccountQuery, SignOutDocument, SignOutElsewhereDocument } from "./__generated__/account.js";

interface Props {
  list: AccountQuery["sessions"]["nodes"];
  onChange: () => void;
}

export function Sessions({ list, onChange }: Props) {
  const root = useRef<HTMLElement>(null);
  const end = (ended: Promise<unknown>) => {
    root.current?.focus({ preventScroll: true }); // the button disappears
    void ended.then(onChange, tellProblem);
  };
  return (
    <section aria-labelledby="sessions" ref={root} tabIndex={-1}>
      <h2 id="sessions">Sessions</h2>
      <ul class="Account-sessions">
        {list.map(({ id, userAgent, lastUsedAt, isCurrent }) => (
          <li key={id} id={`session-${id}`}>
            <span dir="auto" title={userAgent}>
              {browserOf(userAgent)}
            </span>
            <span class="Account-facts">{isCurrent ? "this browser" : <Moment time={lastUsedAt} />}</span>
            {!isCurrent && (
              <button
                class="Button"
                type="button"
                aria-labelledby={`session-${id}`}
                onClick={() => end(change(SignOutDocument, { id }))}
              >
                Sign out
              </button>
            )}
          </li>
        ))}
      </ul>
      {list.length > 1 && (
        <p>
          <button class="Button" type="button" onClick={() => end(change(SignOutElsewhereDocument, {}))}>
            Sign out everywhere else
          </button>
        </p>
      )}
    </section>
  );
}
