import { reloadOnce } from "./errors.js";

/**
 * Loads a chunk of the script. Without a connection, it is loaded once there is one again; a chunk that no longer exists after
 * an update reloads the page.
 */
export async function loadChunk<Module>(load: () => Promise<Module>): Promise<Module> {
  const wasOnline = navigator.onLine;
  try {
    return await load();
  } catch {
    if (navigator.onLine && !wasOnline) return loadChunk(load);
    if (navigator.onLine) reloadOnce();
    await new Promise((resolve) => addEventListener("online", resolve, { once: true }));
    return loadChunk(load);
  }
}
