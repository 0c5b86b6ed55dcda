/** A whole page as HTML: head, the frame common to all pages, and the first response as data. */
import type { ShellQuery } from "./__generated__/documents.js";
import { readPreferences } from "../preferences.js";
import type { PageFiles } from "./assets.js";
import { type Head, headElements, preloadElements } from "./head.js";
import { dataElement, type Html, markup } from "./html.js";

/** The error of a page, as shown to its reader. */
export interface PageProblem {
  status: number;
  title: string;
  message: string;
  code: string;
  retryAfter?: number;
  /** whether signing in may help */
  asksForLogin?: boolean;
  /** where to go on instead; by default to all posts */
  link?: { url: string; name: string };
}

export interface Page {
  head: Head;
  files: PageFiles;
  base: string;
  /** the name of the board */
  board: string;
  cookie: string;
  /** text of the search field */
  search: string;
  shell: ShellQuery | null;
  data: unknown;
  problem: PageProblem | null;
  noscript: Html;
}

const LIGHT = "#f7f6f3";
const DARK = "#141318";

function colours(theme: string): Html {
  if (theme !== "auto") return markup`<meta name="theme-color" content="${theme === "dark" ? DARK : LIGHT}" />`;
  return markup`<meta name="theme-color" content="${LIGHT}" media="(prefers-color-scheme: light)" />
    <meta name="theme-color" content="${DARK}" media="(prefers-color-scheme: dark)" />`;
}

const loaded = ({ entry, modules, styles, font }: PageFiles): Html =>
  markup` ${styles.map((file) => markup`<link rel="stylesheet" href="${file}" />`)}
    ${font && markup`<link rel="preload" as="font" type="font/woff2" href="${font}" crossorigin />`}
    <script type="module" src="${entry}"></script>
    ${modules.map((file) => markup`<link rel="modulepreload" href="${file}" />`)}`;

/** Whether the board requires login and this is a visitor: there is nothing to search. */
export const asksForLogin = (shell: ShellQuery | null): boolean =>
  shell !== null && shell.viewer === null && shell.board.requiresLogin;

const searchForm = (search: string): Html =>
  markup`<form class="Search" action="/posts" role="search">
    <input class="Search-field" name="tags" value="${search}" aria-label="Search posts by tags" autocomplete="off" />
  </form>`;

/** The frame until the script runs; an error stays readable without it. */
const frame = ({ head, board, search, shell, problem, noscript }: Page): Html =>
  markup` <header class="Header">
      <a class="Header-home" href="/">${board}</a>
      ${!asksForLogin(shell) && searchForm(search)}
    </header>
    <main class="Main">
      ${
        problem
          ? markup`<div class="Refusal">
          <h1>${problem.title}</h1>
          <p>${problem.message}</p>
          <p><a href="${problem.link?.url ?? "/"}">${problem.link?.name ?? "All posts"}</a></p>
        </div>`
          : markup`<noscript>
            <h1>${head.title || board}</h1>
            ${noscript}</noscript>`
      }
    </main>`;

/** The HTML of the page. */
export function render(page: Page): string {
  const preferences = readPreferences(page.cookie);
  const { theme, rows, tiles, blur } = preferences;
  const { head, files, base, board, shell, data, problem } = page;
  return markup`<!doctype html>
    <html lang="en" data-theme="${theme}" data-rows="${rows}" data-tiles="${tiles}" data-blur="${blur}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        ${colours(theme)} ${headElements(head, board, base)}
        <link rel="icon" href="/favicon.ico" sizes="32x32" />
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/icon-180.png" />
        <link rel="manifest" href="/site.webmanifest" />
        ${loaded(files)} ${preloadElements(head, preferences)}
      </head>
      <body>
        <div id="app">${frame(page)}</div>
        ${dataElement("answer", { shell, data, problem })}
      </body>
    </html> `.text;
}
