/** The files of posts, as rows without actual files. */
import { createHash } from "node:crypto";
import type { Rows } from "./copy.js";
import { chanceOf, type Plan } from "./plan.js";

const FORMATS = ["jpg", "jpg", "jpg", "jpg", "jpg", "png", "png", "png", "webp", "gif", "mp4", "webm"] as const;
const SIDES = [600, 800, 900, 1000, 1200, 1500, 1920, 2480] as const;

/** Width from which pictures have a sample. */
const SAMPLE_WIDTH = 850;

/** ThumbHash of a picture, the same for all. */
const PLACEHOLDER = "HBkSHYSIeHiPiHh8eJd4eTN0EEQG";

/** The columns of `posts` that are copied from its file; the same at every call. */
export function fileOf(plan: Plan, id: number) {
  const random = chanceOf(plan, "files", id);
  const width = (SIDES[random.below(SIDES.length)] ?? 0) + random.below(40);
  const height = Math.round(width * (0.6 + random.next()));
  return {
    md5: createHash("md5").update(`${plan.seed}:${id}`).digest("hex"),
    file_ext: FORMATS[random.below(FORMATS.length)] ?? "jpg",
    file_size: 1 + random.skewed({ median: (width * height) / 8, spread: 0.6 }),
    image_width: width,
    image_height: height,
  };
}

/** Rows of `media_files`, one for each post. Animations have frames, videos a duration. */
export function* fileRows(plan: Plan): Rows {
  for (let id = 1; id <= plan.posts; id += 1) {
    const file = fileOf(plan, id);
    const uploaded = plan.calendar.text(plan.calendar.uploaded(id));
    const isVideo = file.file_ext === "mp4" || file.file_ext === "webm";
    const isAnimation = file.file_ext === "gif";
    yield {
      id,
      created_at: uploaded,
      updated_at: uploaded,
      ...file,
      duration: isVideo ? 5 + (id % 60) : null,
      frames: isAnimation ? 1 + (id % 40) : 1,
      has_sound: isVideo && id % 2 === 0,
      has_sample: !isVideo && !isAnimation && file.image_width > SAMPLE_WIDTH,
      placeholder: PLACEHOLDER,
    };
  }
}
