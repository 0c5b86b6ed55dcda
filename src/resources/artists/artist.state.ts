import type { Viewer } from "../../runtime/auth/viewer.js";
import { validate, type ValidationErrors } from "../../errors.js";
import { checkEach } from "../../lib/check-each.js";
import { maySetActive } from "./artist.policy.js";
import { isHttpUrl } from "./artist-urls.js";
import { checkTagName, normalizeTagName } from "../../tagging/tag-name.js";
import { type ArtistState, readUrl } from "./artist.records.js";
import { checkText } from "../shared/texts.js";
import { composed, toTagSpelling } from "../../lib/names.js";

/** The input; absent fields stay unchanged, null clears lists and texts. */
export interface ArtistEdit {
  name?: string | null;
  /** names separated by commas; overrides `otherNames` */
  otherNamesComma?: string | null;
  /** names; commas separate two, as in `otherNamesComma` */
  otherNames?: string[] | null;
  groupName?: string | null;
  /** URLs separated by spaces or line breaks, `-` before inactive ones */
  urlString?: string | null;
  /** ignored below Builder */
  isActive?: boolean | null;
}

const OTHER_NAMES_MAX = 50;
const OTHER_NAME_MAX = 80;
const GROUP_NAME_MAX = 170;
const URLS_MAX = 150;
const URL_MAX = 600;

export const NOTHING_KNOWN: ArtistState = {
  name: "",
  otherNames: [],
  groupName: "",
  urls: [],
  isActive: true,
  isBanned: false,
};

/** The state after an edit by this viewer; not yet checked. */
export function editArtist(before: ArtistState, edit: ArtistEdit, viewer: Viewer): ArtistState {
  const name = typeof edit.name === "string" ? toTagSpelling(edit.name) : before.name;
  const others = givenNames(edit) ?? before.otherNames;
  const mayActivate = typeof edit.isActive === "boolean" && maySetActive(viewer);
  return {
    name,
    otherNames: others.filter((other) => other !== name),
    groupName:
      edit.groupName === undefined
        ? before.groupName
        : composed(edit.groupName ?? "")
            .trim()
            .replace(/\s+/gu, " "),
    urls: edit.urlString === undefined ? before.urls : mergeUrls(before.urls, edit.urlString ?? ""),
    isActive: mayActivate ? (edit.isActive as boolean) : before.isActive,
    isBanned: before.isBanned,
  };
}

/** The other names in the input, without duplicates; undefined if there are none in it. Their case is kept. */
function givenNames({ otherNamesComma, otherNames }: ArtistEdit): string[] | undefined {
  if (otherNamesComma === undefined && otherNames === undefined) return undefined;
  const given = otherNamesComma === undefined ? (otherNames ?? []) : [otherNamesComma ?? ""];
  const parts = given.flatMap((text) => text.split(","));
  const names = parts.map((part) => composed(part).trim().replace(/\s+/gu, "_"));
  return [...new Set(names.filter((name) => name !== ""))];
}

/** The URLs in the input: existing ones in their order, then new ones. For duplicates, the last one counts. */
export function mergeUrls(before: readonly string[], text: string): string[] {
  const typed = text.split(/\s+/u).filter((word) => word !== "");
  const wanted = new Map(typed.map((word) => [readUrl(word).url, word]));
  const kept = before.map((written) => readUrl(written).url).filter((url) => wanted.has(url));
  return [...new Set([...kept, ...wanted.keys()])].map((url) => wanted.get(url) as string);
}

/** Validates only what an edit changed. @throws BoardError 420 */
export const checkArtist = (before: ArtistState | null, after: ArtistState): void =>
  validate((problems) => {
    if (after.name !== before?.name) checkName(after.name, problems);
    if (after.otherNames.length > OTHER_NAMES_MAX) problems.add("other_names", "too_many", { limit: OTHER_NAMES_MAX });
    checkEach(problems, "other_names", after.otherNames, (name, own) =>
      checkText(own, "other_names", name, { most: OTHER_NAME_MAX }),
    );
    checkText(problems, "group_name", after.groupName, { most: GROUP_NAME_MAX });
    checkUrls(after.urls, problems);
  });

/** The name must be a valid tag name. */
function checkName(name: string, problems: ValidationErrors): void {
  if (name === "") problems.add("name", "blank");
  else if (normalizeTagName(name) !== name) problems.add("name", "invalid");
  else checkTagName(name, problems, "name");
}

function checkUrls(written: readonly string[], problems: ValidationErrors): void {
  const urls = written.map((each) => readUrl(each).url);
  if (urls.length > URLS_MAX) problems.add("url_string", "too_many", { limit: URLS_MAX });
  checkEach(problems, "url_string", urls, (url, own) => {
    checkText(own, "url_string", url, { most: URL_MAX });
    if (!isHttpUrl(url)) own.add("url_string", "source_scheme");
  });
}
