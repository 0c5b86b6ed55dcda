/** Mutations with a file, whose `fetch` reports how much of its body was sent, which the browser's own does not. */
import { WRITE_MILLISECONDS } from "./connection.js";
import type { Document } from "./document.js";
import { changed, client, whole } from "./graphql.js";

/**
 * Runs a mutation with a file among its variables.
 * @param onProgress called with the share that was sent, from 0 to 1
 * @throws Problem
 */
export const send = async <R, V>(
  document: Document<R, V>,
  variables: V,
  onProgress: (part: number) => void,
  signal: AbortSignal,
): Promise<R> => {
  const fetchOptions = { headers: { "Apollo-Require-Preflight": "1" } };
  const context = { fetch: fetchWithProgress(onProgress, signal), fetchOptions };
  return changed(await client.executeMutation<R>(whole(document, variables), context));
};

/**
 * Gives up if nothing more of the body is sent, and there is no answer, for some time.
 * @param given its abort cancels the request
 */
const fetchWithProgress =
  (onProgress: (part: number) => void, given: AbortSignal): typeof fetch =>
  (url, { method = "GET", headers, body } = {}) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open(method, url as string);
      for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value);
      let late: ReturnType<typeof setTimeout>;
      const wait = () => {
        clearTimeout(late);
        late = setTimeout(() => {
          reject(new TypeError("no answer"));
          request.abort();
        }, WRITE_MILLISECONDS);
      };
      request.upload.addEventListener("progress", ({ loaded, total }) => {
        wait();
        onProgress(total > 0 ? loaded / total : 0);
      });
      request.addEventListener("load", () => resolve(answerOf(request)));
      request.addEventListener("error", () => reject(new TypeError("no answer")));
      request.addEventListener("abort", () => reject(new DOMException("given up", "AbortError")));
      given.addEventListener("abort", () => request.abort());
      if (given.aborted) request.abort();
      request.send(body as XMLHttpRequestBodyInit | null);
      wait();
    });

const answerOf = (request: XMLHttpRequest): Response =>
  new Response(request.responseText, {
    status: request.status,
    headers: { "Content-Type": request.getResponseHeader("Content-Type") ?? "" },
  });
