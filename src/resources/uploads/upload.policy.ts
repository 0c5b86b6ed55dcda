/** Who may upload, and whose posts wait for approval. */
import { Level } from "../../runtime/auth/levels.js";
import type { Viewer } from "../../runtime/auth/viewer.js";
import { atLeast, member } from "../shared/policy.js";

/** The upload listing is for members, since it holds what has not become a post. */
export const maySee = (viewer: Viewer): boolean => member(viewer, undefined);
export const mayCreate = (viewer: Viewer): boolean => member(viewer, undefined);

/** The file behind an upload (its md5 leads to it) is a matter of the uploader and of Janitors; others see the post. */
export const maySeeFile = (viewer: Viewer, upload: { uploaderId: number }): boolean =>
  viewer.id === upload.uploaderId || atLeast(Level.Janitor)(viewer, undefined);

/** Contributors and above skip the approval queue, and so the limit on it. */
export const isUnlimited = (viewer: Viewer): boolean => atLeast(Level.Contributor)(viewer, undefined);
