/** Who may upload, and whose posts wait for approval. */
import { from, member, noted, right, type Rights } from "../shared/policy.js";

/** The upload listing is for members, since it holds what has not become a post. */
export const maySee = member;
export const mayCreate = member;

/** The file behind an upload (its md5 leads to it) is a matter of the uploader and of Janitors; others see the post. */
export const maySeeFile = right<{ uploaderId: number }>({
  gate: "member",
  own: "account",
  others: "janitor",
  owner: ({ uploaderId }) => uploaderId,
});

/** Contributors and above skip the approval queue, and so the limit on it. */
export const isUnlimited = from("contributor");

export const uploadRights: Rights = {
  reads: { upload: maySee, uploads: maySee },
  writes: { createUpload: noted(mayCreate, "Below Contributor, the post needs approval.") },
  fields: { Upload: maySee, "Upload.md5": maySeeFile, "Upload.md5Confirmation": maySeeFile },
};
