/** The board and the viewer, as every page needs them. */
import { ShellDocument, type ShellQuery } from "../__generated__/shell.js";
import { useDocument } from "./graphql.js";

/** Undefined until it has come, which it has with the first page. */
export const useShell = (): ShellQuery | undefined => useDocument(ShellDocument, {}).data;
