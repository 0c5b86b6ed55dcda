/** What a page may do and load: its own files, and those of posts. */
import type { Config } from "../../src/config.js";

/** The origin of the posts' files, where that is another than the board's. */
const filesOrigin = ({ STORAGE, S3_PUBLIC_URL }: Config): string =>
  STORAGE === "s3" && S3_PUBLIC_URL ? ` ${new URL(S3_PUBLIC_URL).origin}` : "";

/** The page's Content-Security-Policy. Only `dtext`, a policy of `parts/prose.tsx`, makes HTML of text. */
export const policyFor = (config: Config): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' blob: data:${filesOrigin(config)}`,
    `media-src 'self' blob:${filesOrigin(config)}`,
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types dtext",
  ].join("; ");
