/** The program of the pages: takes the answer that came with the page, and shows it. */
import { type ComponentType, type JSX, render } from "preact";
import { Provider } from "@urql/preact";
import { signal } from "@preact/signals";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { ShellDocument, type ShellQuery } from "./__generated__/shell.js";
import { watchConnection } from "./lib/connection.js";
import { client, prime } from "./lib/graphql.js";
import { nextTask, whenIdle, whenLoaded } from "./lib/idle.js";
import { startKeys } from "./lib/keys.js";
import { go, place, startRouter } from "./lib/router.js";
import { followOtherTabs } from "./lib/session.js";
import { startShell } from "./lib/shell.js";
import { Header } from "./parts/header.js";
import { KeysDialog } from "./parts/keys-dialog.js";
import { OfflineBar } from "./parts/offline-bar.js";
import { Refusal } from "./parts/refusal.js";
import { Toast } from "./parts/toast.js";
import type { PageName, Place } from "./routes.js";
import type { Document } from "./lib/document.js";
import "./style/tokens.css";
import "./style/base.css";
import "./style/frame.css";

/** A page's program. */
interface PageModule {
  Page: ComponentType<{ place: Place }>;
  /** what its first answer is of */
  document?: Document<unknown, never>;
}

const LOAD: Readonly<Record<PageName, () => Promise<PageModule>>> = {
  gallery: () => import("./pages/gallery/gallery.js"),
  post: () => import("./pages/post/post.js"),
  post_versions: () => import("./pages/versions/post.js"),
  note_versions: () => import("./pages/versions/note.js"),
  pool_versions: () => import("./pages/versions/pool.js"),
  wiki_page_versions: () => import("./pages/versions/wiki-page.js"),
  artist_versions: () => import("./pages/versions/artist.js"),
  artist_commentary_versions: () => import("./pages/versions/artist-commentary.js"),
  favorite_group_versions: () => import("./pages/versions/favorite-group.js"),
  login: () => import("./pages/login/login.js"),
  signup: () => import("./pages/signup/signup.js"),
  recover: () => import("./pages/recover/recover.js"),
  upload: () => import("./pages/upload/upload.js"),
  account: () => import("./pages/account/account.js"),
};

interface Problem {
  title: string;
  message: string;
  retryAfter?: number;
  /** whether who signs in may be shown the page */
  asksForLogin?: boolean;
}

/** What the server found out already. */
interface FirstAnswer {
  shell: ShellQuery | null;
  data: unknown;
  problem: Problem | null;
}

/** What was refused, until another page is opened. */
const refused = signal<Problem | null>(null);

const modules = new Map<PageName, PageModule>();

async function load(page: PageName): Promise<PageModule> {
  const found = modules.get(page) ?? (await LOAD[page]());
  modules.set(page, found);
  return found;
}

/** A page's program; undefined until it has come. */
function useModule(page: PageName | undefined): PageModule | undefined {
  const [, setLoaded] = useState<PageName>();
  const found = page && modules.get(page);
  useEffect(() => {
    // a part that a new version took away is loaded with the whole page
    if (page && !found)
      load(page).then(
        () => setLoaded(page),
        () => location.reload(),
      );
  }, [page]);
  return found;
}

/** The page that is opened most often from each, which is loaded as soon as what is shown first is there. */
const NEXT: Readonly<Partial<Record<PageName, PageName>>> = { gallery: "post", post: "gallery" };

function loadNext(here: PageName): void {
  const next = NEXT[here];
  if (next) whenLoaded(() => void load(next).catch(() => undefined));
}

/** A page begins anew where another record or search is looked at, but a post goes on to the next of its search. */
function keyOf({ page, params, query }: Place): string {
  if (page === "post") return `post ${query.get("q")}`;
  return `${page} ${params.id ?? ""} ${page === "gallery" ? `${query.get("tags")} ${query.get("page")}` : ""}`;
}

/** In the place of a page that is for users alone: its reader signs in, and is shown it. */
function SignIn() {
  const { Page: Login } = useModule("login") ?? {};
  const query = new URLSearchParams({ next: location.pathname + location.search });
  return Login ? <Login place={{ page: "login", params: {}, query }} /> : null;
}

/** A page that is shown from one moment to another. */
interface Visit {
  /** they are counted */
  number: number;
  page: PageName;
  content: JSX.Element;
}

function useVisit(): Visit | null {
  const here = place.value;
  const { Page: Component } = useModule(here?.page) ?? {};
  const key = here && Component ? keyOf(here) : "";
  const last = useRef({ key, number: 0 });
  if (last.current.key !== key) last.current = { key, number: last.current.number + 1 };
  const { number } = last.current;
  return useMemo(
    () => (here && Component ? { number, page: here.page, content: <Component place={here} /> } : null),
    [here, Component],
  );
}

/**
 * The gallery out of which a post was opened, until that is drawn: to take hundreds of elements away takes longer than to show the
 * post.
 */
function useLeft(visit: Visit | null): Visit | null {
  const [drawn, setDrawn] = useState(visit);
  useEffect(() => whenIdle(() => setDrawn(visit)), [visit?.number]);
  if (drawn?.page !== "gallery" || visit?.page !== "post") return null;
  return visit.number === drawn.number + 1 ? drawn : null;
}

function Page() {
  const visit = useVisit();
  const left = useLeft(visit);
  if (refused.value?.asksForLogin) return <SignIn />;
  if (refused.value) return <Refusal {...refused.value} />;
  return (
    <>
      {left && (
        <div key={left.number} class="Page is-left">
          {left.content}
        </div>
      )}
      {visit && (
        <div key={visit.number} class="Page">
          {visit.content}
        </div>
      )}
    </>
  );
}

const App = () => (
  <Provider value={client}>
    <OfflineBar />
    <a class="Skip Button" href="#main">
      Skip to content
    </a>
    <Header />
    <main class="Main" id="main" tabIndex={-1}>
      <Page />
    </main>
    <Toast />
    <KeysDialog />
  </Provider>
);

async function begin(): Promise<void> {
  const text = document.getElementById("answer")?.textContent ?? "";
  const first = JSON.parse(text) as FirstAnswer;
  refused.value = first.problem;
  if (first.shell) prime(ShellDocument, {}, first.shell);
  const here = place.value;
  if (here) {
    const { document: asked } = await load(here.page);
    if (asked && first.data) prime(asked, here.variables as never, first.data);
  }
  place.subscribe((now) => {
    if (now === here) return;
    refused.value = null;
    // who hears or walks the page by keys begins at its content, as in a page that is loaded
    requestAnimationFrame(() => {
      const focused = document.activeElement;
      if (focused === document.body || focused?.closest(".is-left"))
        document.getElementById("main")?.focus({ preventScroll: true });
    });
  });
  history.scrollRestoration = "manual";
  startShell();
  startRouter();
  followOtherTabs();
  watchConnection();
  startKeys(go);
  await nextTask(); // what came with the page was read in this one
  const app = document.getElementById("app") as HTMLElement;
  app.replaceChildren();
  render(<App />, app);
  if (here) loadNext(here.page);
}

void begin();
