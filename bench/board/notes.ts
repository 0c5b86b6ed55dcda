/** Notes, their versions, and the columns of posts about them. */
import type { Rows } from "./copy.js";
import { type Event, Events } from "./events.js";
import { fileOf } from "./files.js";
import { chanceOf, type Plan } from "./plan.js";
import type { Random } from "./random.js";
import { sentences } from "./texts.js";

const DAY = 86_400;

/** Share of posts with notes, and the number of further notes of these. */
const NOTED = 0.03;
const FURTHER = { median: 2, spread: 0.8 };
/** Delays from the upload to the note, and from the note to its change. */
const DELAY = { median: 2 * DAY, spread: 2 };

/** Shares of notes that were changed or deleted later. */
const CHANGED = 0.2;
const DELETED = 0.03;

/** All notes of a board, with user, post and time. */
export function planNotes(plan: Plan): Events {
  let total = 0;
  for (let id = 1; id <= plan.posts; id += 1) total += notesOn(chanceOf(plan, "annotations", id));
  const events = new Events(total);
  for (let id = 1; id <= plan.posts; id += 1) {
    const random = chanceOf(plan, "annotations", id);
    const uploaded = plan.calendar.uploaded(id);
    for (let left = notesOn(random); left > 0; left -= 1) {
      events.add(id, plan.crowd.one("note", random), plan.calendar.later(uploaded, DELAY, random));
    }
  }
  return events;
}

const notesOn = (random: Random): number => (random.chance(NOTED) ? 1 + random.skewed(FURTHER) : 0);

/** The last change of a note: its time and the resulting state. */
function fateOf(plan: Plan, { id, second }: Event) {
  const random = chanceOf(plan, "notes", id);
  const isActive = !random.chance(DELETED);
  const isChanged = !isActive || random.chance(CHANGED);
  return { random, isActive, isChanged, changedAt: isChanged ? plan.calendar.later(second, DELAY, random) : second };
}

/** The last change of an active note of each post; -1 for never. */
export function noteTimes(plan: Plan, notes: Events): Int32Array {
  const noted = new Int32Array(plan.posts + 1).fill(-1);
  for (const note of notes.inOrder()) {
    const { isActive, changedAt } = fateOf(plan, note);
    if (isActive) noted[note.post] = Math.max(noted[note.post] ?? -1, changedAt);
  }
  return noted;
}

/** The one or two states of a note: the initial one, and that after its change. */
function statesOf(plan: Plan, note: Event) {
  const { random, isActive, isChanged, changedAt } = fateOf(plan, note);
  const { image_width, image_height } = fileOf(plan, note.post);
  const width = 20 + random.below(image_width - 20);
  const height = 20 + random.below(image_height - 20);
  const place = { x: random.below(image_width - width), y: random.below(image_height - height), width, height };
  const first = { time: plan.calendar.text(note.second), ...place, body: sentences(random), is_active: true };
  if (!isChanged) return [first];
  const body = isActive ? sentences(random) : first.body;
  return [first, { ...first, time: plan.calendar.text(changedAt), body, is_active: isActive }];
}

/** Rows of `notes`. */
export function* noteRows(plan: Plan, notes: Events): Rows {
  for (const note of notes.inOrder()) {
    const states = statesOf(plan, note);
    const { time, ...last } = states[states.length - 1] as (typeof states)[number];
    yield {
      id: note.id,
      created_at: plan.calendar.text(note.second),
      updated_at: time,
      post_id: note.post,
      creator_id: note.user,
      ...last,
      version: states.length,
    };
  }
}

/** Rows of `note_versions`. Updates the users' counts. */
export function* noteVersionRows(plan: Plan, notes: Events): Rows {
  let id = 0;
  for (const note of notes.inOrder()) {
    for (const [place, { time, ...state }] of statesOf(plan, note).entries()) {
      plan.crowd.count("notes", note.user);
      const owner = { note_id: note.id, post_id: note.post, version: place + 1, updater_id: note.user };
      id += 1;
      yield { id, created_at: time, updated_at: time, ...owner, ...state };
    }
  }
}
