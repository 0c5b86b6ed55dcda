/** The messages of a decoder process as the server accepts them. Anything else ends the process, which a file may have taken over. */
import { z } from "zod";
import { FAILURES, type FailureKey } from "../../errors.js";
import { CONTENT_TYPES, type MediaExt } from "../../storage/keys.js";
import type { Results, Task } from "./protocol.js";

const size = z.int().positive();
const bytes = z.number().nonnegative();
const text = z.string().optional();
const kind = z.enum(["image", "video"]);
const type = z.object({ ext: z.enum(Object.keys(CONTENT_TYPES) as MediaExt[]), mime: z.string(), kind });
const info = z.object({ width: size, height: size, frames: size, duration: bytes.nullable(), hasSound: z.boolean() });
const cost = z.object({ memory: bytes, pixels: bytes });
const error = z.object({
  message: z.string(),
  code: text, // of a system error, such as ENOSPC
  // of a BoardError: its row in the table of failures
  key: z.enum(Object.keys(FAILURES) as FailureKey[]).optional(),
  fields: z.record(z.string(), z.array(z.string())).optional(),
  retryAfter: z.number().optional(),
  cause: text,
});
export type WireError = z.infer<typeof error>;

const reply = (result: z.ZodType<Results[keyof Results]>) =>
  z.discriminatedUnion("is", [
    z.object({ is: z.literal("done"), result, resident: bytes }),
    z.object({ is: z.literal("failed"), error, resident: bytes }),
    z.object({ is: z.literal("exhausted"), resident: bytes }), // out of memory
  ]);

const look = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("image"), type, info, cost }),
  z.object({ kind: z.literal("video"), type }),
]) satisfies z.ZodType<Results["look"]>;
const render = z.object({ info, hasSample: z.boolean(), placeholder: text }) satisfies z.ZodType<Results["render"]>;

/** The message at its start. `data`: its writable memory in bytes, which the limit applies to; null if unknown. */
export const READY = z.object({ is: z.literal("ready"), data: bytes.nullable() });

/** The reply to each kind of task. */
export const REPLIES = { look: reply(look), render: reply(render) } satisfies Record<Task["is"], unknown>;

/** Any of them. `resident`: the resident memory of the process in bytes. */
export type Reply = z.infer<typeof READY> | z.infer<ReturnType<typeof reply>>;
