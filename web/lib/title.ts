import { useEffect } from "preact/hooks";
import { fullTitle } from "../titles.js";
import { useShell } from "./shell.js";

/** Sets the title in the browser's tab and history. */
export function useTitle(title: string): void {
  const board = useShell()?.board.name;
  useEffect(() => {
    if (board !== undefined) document.title = fullTitle(title, board);
  }, [title, board]);
}
