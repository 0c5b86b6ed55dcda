/** Multipart bodies written by hand, so that they can be odd or broken. */

export const BOUNDARY = "----graphbooru-test";

export interface Part {
  name: string;
  content: string | Uint8Array;
  /** makes it a file */
  filename?: string;
  contentType?: string;
}

const header = ({ name, filename, contentType }: Part): string =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"` +
  (filename === undefined ? "" : `; filename="${filename}"`) +
  (contentType === undefined ? "" : `\r\nContent-Type: ${contentType}`) +
  "\r\n\r\n";

/** A body of these parts, without the boundary that ends it. */
export const openMultipart = (parts: Part[]): Buffer =>
  Buffer.concat(
    parts.flatMap((part) => [Buffer.from(header(part)), Buffer.from(part.content as string), Buffer.from("\r\n")]),
  );

/** A whole body. */
export const multipart = (parts: Part[]): Buffer =>
  Buffer.concat([openMultipart(parts), Buffer.from(`--${BOUNDARY}--\r\n`)]);

/** What `fetch` needs to send the body. */
export const multipartInit = (body: Buffer, method = "POST"): RequestInit => ({
  method,
  body: new Uint8Array(body),
  headers: { "content-type": `multipart/form-data; boundary=${BOUNDARY}` },
});
