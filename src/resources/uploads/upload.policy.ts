/** Rights on uploads, and who needs approval. */
import { maySeeVotes } from "../shared/privacy.policy.js";
import { from, member, type MinimumLevel, withNote, right, type Rights } from "../shared/policy.js";

/** The listing of uploads is for members, since it includes failed ones. */
export const maySee = member;
export const mayCreate = member;

const ofUploader = (others: MinimumLevel) =>
  right<{ uploaderId: number }>({ minimum: "member", own: "account", others, owner: ({ uploaderId }) => uploaderId });

/** The file of an upload (to which its md5 leads) is visible to the uploader and Janitors; others see the post. */
export const maySeeFile = ofUploader("janitor");

/** The tag string of an upload as a whole, with the uploader's favorite and vote. */
export const maySeeTagString = ofUploader(maySeeVotes.permission.minimum);

/** Contributors and above bypass the approval queue, and so its limit. */
export const isUnlimited = from("contributor");

export const uploadRights: Rights = {
  reads: { upload: maySee, uploads: maySee },
  writes: { createUpload: withNote(mayCreate, "Below Contributor, the post needs approval.") },
  fields: { Upload: maySee, "Upload.md5": maySeeFile, "Upload.md5Confirmation": maySeeFile },
};
