import { reloadOnce } from "./errors.js";

/** Milliseconds until a chunk is loaded again that failed although there is a connection. */
const AGAIN_MILLISECONDS = 5_000;

/**
 * Loads a chunk of the script. Without a connection, it is loaded once there is one again; a chunk that no longer exists after
 * an update reloads the page, at most once, and is then tried again.
 */
export async function loadChunk<Module>(load: () => Promise<Module>, mayReload = true): Promise<Module> {
  const wasOnline = navigator.onLine;
  // when another page is opened, Firefox and Safari end what this one loads
  const leave = () => (mayReload = false);
  addEventListener("beforeunload", leave);
  try {
    return await load();
  } catch {
    if (navigator.onLine && !wasOnline) return loadChunk(load, mayReload);
    if (navigator.onLine && mayReload) reloadOnce();
    await new Promise((resolve) => {
      addEventListener("online", resolve, { once: true });
      if (navigator.onLine) setTimeout(resolve, AGAIN_MILLISECONDS); // there is no such event
    });
    return loadChunk(load, false);
  } finally {
    removeEventListener("beforeunload", leave);
  }
}
