/** Videos that can be made without ffmpeg: well-formed containers without content; and fake programs. */
import type { VideoTools } from "../../src/media/video-tools.js";
import type { Folder } from "./folder.js";

/** One box of an MP4. */
export function mp4Box(type: string, content: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(8 + content.length);
  header.write(type, 4, "latin1");
  return Buffer.concat([header, content]);
}

/** An MP4 of this major brand, whose index and data are zeros. */
export function mp4(brand = "isom"): Buffer {
  const ftyp = mp4Box("ftyp", Buffer.from(`${brand.padEnd(4)}\0\0\0\0${brand.padEnd(4)}`, "latin1"));
  return Buffer.concat([ftyp, mp4Box("moov", Buffer.alloc(100)), mp4Box("mdat", Buffer.alloc(400))]);
}

/** One element of EBML; its length is always written in eight bytes. */
function ebml(id: string, content: Buffer): Buffer {
  const length = Buffer.alloc(8);
  length.writeBigUInt64BE((1n << 56n) | BigInt(content.length));
  return Buffer.concat([Buffer.from(id, "hex"), length, content]);
}

/** A WebM (or, by another `docType`, some other Matroska file) whose segment is zeros. */
export function webm(docType = "webm"): Buffer {
  const header = ebml("1a45dfa3", ebml("4282", Buffer.from(docType, "latin1")));
  return Buffer.concat([header, ebml("18538067", Buffer.alloc(400))]);
}

/** A WebM as a browser records it: its segment does not say how long it is. */
export function liveWebm(): Buffer {
  const header = ebml("1a45dfa3", ebml("4282", Buffer.from("webm")));
  return Buffer.concat([header, Buffer.from("1853806701ffffffffffffff", "hex"), Buffer.alloc(400)]);
}

export interface FakeTools {
  /** the output of ffprobe: an object as JSON, or a text */
  report?: object | string;
  /** the output of ffprobe about packets */
  packets?: string;
  /** the output of ffmpeg: the first frame */
  frame?: Buffer;
  /** shell commands that both programs run first, `-version` excepted */
  before?: string;
}

/**
 * Shell scripts in place of ffprobe and ffmpeg. They write their arguments, one a line, into the files `ffprobe.args` and
 * `ffmpeg.args` of the folder.
 */
export async function fakeVideoTools(folder: Folder, { report = {}, packets = "", frame, before }: FakeTools) {
  await folder.write("report", typeof report === "string" ? report : JSON.stringify(report));
  await folder.write("packets", packets);
  await folder.write("frame", frame ?? "");
  const script = (name: string, answer: string) => `#!/bin/sh
cd '${folder.path}'
[ "$1" = -version ] && exit 0
printf '%s\\n' "$@" > ${name}.args
${before ?? ""}
${answer}
`;
  const probing = 'case "$*" in *packet=*) cat packets;; *) cat report;; esac';
  const tools: VideoTools = {
    ffprobe: await folder.write("ffprobe", script("ffprobe", probing), 0o755),
    ffmpeg: await folder.write("ffmpeg", script("ffmpeg", "cat frame"), 0o755),
  };
  return tools;
}
