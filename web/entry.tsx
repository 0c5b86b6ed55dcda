/** The entry point of the pages: renders the page from the response in its HTML. */
import { type ComponentType, type JSX, render } from "preact";
import { signal } from "@preact/signals";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { ShellDocument, type ShellQuery } from "./__generated__/shell.js";
import { loadChunk } from "./lib/chunk.js";
import { watchConnection } from "./lib/connection.js";
import { prime, readAhead } from "./lib/graphql.js";
import { nextTask, whenIdle, whenLoaded } from "./lib/idle.js";
import { startKeys } from "./lib/keys.js";
import { go, place, startRouter } from "./lib/router.js";
import { followOtherTabs, hereUrl } from "./lib/session.js";
import { startShell } from "./lib/shell.js";
import { startToggles } from "./lib/toggles.js";
import { Header } from "./parts/header.js";
import { KeysDialog } from "./parts/keys-dialog.js";
import { Awaited } from "./parts/later.js";
import { OfflineBar } from "./parts/offline-bar.js";
import { Refusal } from "./parts/refusal.js";
import { Toast } from "./parts/toast.js";
import type { PageName, Place } from "./routes.js";
import type { Document } from "./lib/document.js";
import "./style/tokens.css";
import "./style/base.css";
import "./style/frame.css";

/** The module of a page. */
interface PageModule {
  Page: ComponentType<{ place: Place }>;
  /** the document of its first response */
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
  status: number;
  retryAfter?: number;
  link?: { url: string; name: string };
  /** whether signing in may help */
  asksForLogin?: boolean;
}

/** The data in the page's HTML. */
interface FirstAnswer {
  shell: ShellQuery | null;
  data: unknown;
  problem: Problem | null;
}

/** The error shown until another page is opened. */
const refused = signal<Problem | null>(null);

const modules = new Map<PageName, PageModule>();

async function load(page: PageName): Promise<PageModule> {
  const found = modules.get(page) ?? (await LOAD[page]());
  modules.set(page, found);
  return found;
}

/** The module of a page; undefined until it is loaded. */
function useModule(page: PageName | undefined): PageModule | undefined {
  const [, setLoaded] = useState<PageName>();
  const found = page && modules.get(page);
  useEffect(() => {
    if (page && !found) void loadChunk(() => load(page)).then(() => setLoaded(page));
  }, [page]);
  return found;
}

/** The page that is most often opened next, which is loaded once the first content is shown. */
const NEXT: Readonly<Partial<Record<PageName, PageName>>> = { gallery: "post", post: "gallery" };

function loadNext(here: PageName): void {
  const next = NEXT[here];
  if (next) whenLoaded(() => whenIdle(() => void load(next).catch(() => undefined)));
}

/** A page is mounted anew whenever it is opened, but a post stays mounted for the next post of its search. */
const keyOf = (opened: Place): unknown => (opened.page === "post" ? `post ${opened.query.get("q")}` : opened);

/** Shown instead of a page that requires login; leads back to it. */
function SignIn() {
  const { Page: Login } = useModule("login") ?? {};
  const query = new URLSearchParams({ next: hereUrl() });
  return Login ? <Login place={{ page: "login", params: {}, query }} /> : null;
}

/** A page from the moment it is opened until it is left. */
interface Visit {
  /** a serial number */
  number: number;
  page: PageName;
  content: JSX.Element;
}

function useVisit(): Visit | null {
  const here = place.value;
  const { Page: Component } = useModule(here?.page) ?? {};
  const key = here && Component ? keyOf(here) : null;
  const last = useRef({ key, number: 0 });
  if (last.current.key !== key) last.current = { key, number: last.current.number + 1 };
  const { number } = last.current;
  return useMemo(
    () => (here && Component ? { number, page: here.page, content: <Component place={here} /> } : null),
    [here, Component],
  );
}

/**
 * The gallery from which a post was opened, until the post is drawn: removing hundreds of elements takes longer than showing the
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
      {visit ? (
        <div key={visit.number} class="Page">
          {visit.content}
        </div>
      ) : (
        place.value && <Awaited />
      )}
    </>
  );
}

const App = () => (
  <>
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
  </>
);

/** Renders the page in place of the frame in its HTML; somebody who has begun to search goes on. */
function renderApp(): void {
  const app = document.getElementById("app") as HTMLElement;
  const { activeElement: before } = document;
  app.replaceChildren();
  render(<App />, app);
  if (!(before instanceof HTMLInputElement)) return;
  const field = document.querySelector<HTMLInputElement>(".Search-field");
  field?.focus();
  field?.setRangeText(before.value, 0, field.value.length, "end");
  field?.dispatchEvent(new Event("input", { bubbles: true }));
}

async function begin(): Promise<void> {
  const text = document.getElementById("answer")?.textContent ?? "";
  const first = JSON.parse(text) as FirstAnswer;
  refused.value = first.problem;
  if (first.shell) prime(ShellDocument, {}, first.shell);
  const here = place.value;
  const { document: asked } = here ? await loadChunk(() => load(here.page)) : {};
  place.subscribe((now) => {
    if (now === here) return;
    refused.value = null;
    // screen readers and keyboards continue at its content, as in a page that is loaded
    requestAnimationFrame(() => {
      const focused = document.activeElement;
      if (focused === document.body || focused?.closest(".is-left"))
        document.getElementById("main")?.focus({ preventScroll: true });
    });
  });
  startShell();
  startRouter();
  followOtherTabs();
  watchConnection();
  startKeys(go);
  startToggles();
  // tasks of their own, so that the page answers between them
  await nextTask();
  if (here && asked && first.data) {
    prime(asked, here.variables as never, first.data);
    readAhead(asked, here.variables as never);
    await nextTask();
  }
  renderApp();
  if (here) loadNext(here.page);
}

void begin();
