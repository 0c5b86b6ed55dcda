/** The Content-Security-Policy of pages: their own files, and those of posts. */
import type { Config } from "../../src/config.js";

/** The origin of the posts' files, if it is not the board's. */
const filesOrigin = ({ STORAGE, S3_PUBLIC_URL }: Config): string =>
  STORAGE === "s3" && S3_PUBLIC_URL ? ` ${new URL(S3_PUBLIC_URL).origin}` : "";

/** The page's Content-Security-Policy. Only `dtext`, a policy of `parts/prose.tsx`, may create HTML from text. */
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
