/** The viewer's account: permissions, settings, password, API key and sessions. */
import { change, useDocument } from "../../lib/graphql.js";
import { signedOut } from "../../lib/session.js";
import { counted } from "../../lib/time.js";
import { useTitle } from "../../lib/title.js";
import { FullMoment } from "../../parts/moment.js";
import { Refusal, RefusalOf } from "../../parts/refusal.js";
import { tellProblem } from "../../parts/toast.js";
import { searchUrl, userSearch } from "../../routes.js";
import { AccountDocument, SignOutDocument } from "./__generated__/account.js";
import { Abilities } from "./abilities.js";
import { ApiKey } from "./api-key.js";
import { Password } from "./password.js";
import { Sessions } from "./sessions.js";
import { Settings } from "./settings.js";
import { TagScripts } from "./tag-scripts.js";
import "./account.css";

export function Page() {
  useTitle("Account");
  const { data, problem, again } = useDocument(AccountDocument, {});
  if (problem?.needsLogin || (data && !data.viewer))
    return (
      <div class="Refusal">
        <h1>Account</h1>
        <p>
          <a href="/login?next=/account">Sign in</a> to see your account.
        </p>
      </div>
    );
  if (problem) return <RefusalOf problem={problem} onRetry={again} />;
  if (!data?.viewer) return <p>Loading …</p>;
  const { viewer, sessions } = data;
  if (!viewer.settings) return <Refusal message="The account can't be read." />;
  const signOut = () => void change(SignOutDocument, {}).then(signedOut, tellProblem);
  return (
    <div class="Sheet">
      <header class="Account-head">
        <div>
          <h1 dir="auto">{viewer.name}</h1>
          <p class="Account-facts">
            {viewer.levelString}
            {viewer.isBanned && ", banned"}, joined <FullMoment time={viewer.createdAt} />
          </p>
          <p>
            <a href={searchUrl(userSearch(viewer.name))}>{counted(viewer.postUploadCount, "upload")}</a>
            {" · "}
            <a href={searchUrl(userSearch(viewer.name, "fav"))}>{counted(viewer.favoriteCount ?? 0, "favorite")}</a>
          </p>
        </div>
        <button class="Button" type="button" onClick={signOut}>
          Sign out
        </button>
      </header>
      <Abilities can={data.board.viewerCan} level={viewer.levelString} />
      <Settings user={viewer} />
      <TagScripts />
      <Password name={viewer.name} onChange={again} />
      <ApiKey name={viewer.name} apiKey={viewer.settings.apiKey} />
      <Sessions list={sessions.nodes} onChange={again} />
    </div>
  );
}
