/** A `fetch` that reports how much of its body was sent, which the browser's own does not. */
import { WRITE_MILLISECONDS } from "./connection.js";

/**
 * Gives up if nothing more of the body is sent, and there is no answer, for some time.
 * @param onProgress called with the share that was sent, from 0 to 1
 * @param given its abort cancels the request
 */
export const fetchWithProgress =
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
