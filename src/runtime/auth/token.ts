/** Random tokens for authentication: the database contains only their hashes. */
import { hash, randomBytes } from "node:crypto";

/** 256 bits, as 43 URL-safe characters. */
export const makeToken = (): string => randomBytes(32).toString("base64url");

/** The stored form of a token: its SHA-256. */
export const hashToken = (token: string): Buffer => hash("sha256", token, "buffer");
