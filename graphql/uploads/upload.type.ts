import { Field, InputType, Int, ObjectType } from "type-graphql";
import type { UploadSearch as SearchAttributes } from "../../src/resources/uploads/upload.service.js";
import { Post } from "../posts/post.type.js";
import { Connection } from "../shared/connection.js";
import { Rating } from "../shared/enums.js";
import { FileScalar, type FileUpload } from "../shared/upload.js";
import { User } from "../users/user.type.js";

@ObjectType({ description: "A file that was submitted, and what became of it." })
export class Upload {
  @Field(() => Int, { description: "Number of the upload." })
  id!: number;

  @Field(() => Int, { description: "Who uploaded." })
  uploaderId!: number;

  @Field(() => String, { description: "Name of who uploaded." })
  uploaderName!: string;

  @Field(() => User, { nullable: true, description: "Who uploaded." })
  uploader!: User | null;

  @Field(() => String, { description: "The source, after redirects when it was downloaded; or empty." })
  source!: string;

  @Field(() => String, { description: "The tags, as submitted." })
  tagString!: string;

  @Field(() => Rating, { nullable: true, description: "The rating that was asked for." })
  rating!: string | null;

  @Field(() => Int, { nullable: true, description: "The parent that was asked for." })
  parentId!: number | null;

  @Field(() => String, { description: "`completed`, or `error: ` and what was wrong." })
  status!: string;

  @Field(() => Int, { nullable: true, description: "Number of the post that it became." })
  postId!: number | null;

  @Field(() => Post, { nullable: true, description: "The post that it became." })
  post!: Post | null;

  @Field(() => String, { nullable: true, description: "MD5 of the file; for the uploader and Janitors." })
  md5!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "The MD5 that the uploader expected; for the uploader and Janitors.",
  })
  md5Confirmation!: string | null;

  @Field(() => String, { nullable: true, description: "Media type of the file, from its bytes." })
  contentType!: string | null;

  @Field(() => Int, { nullable: true, description: "Size of the file in bytes." })
  fileSize!: number | null;

  @Field(() => Date, { description: "When it was submitted." })
  createdAt!: Date;

  @Field(() => Date, { description: "When its status last changed." })
  updatedAt!: Date;
}

export const UploadConnection = Connection(Upload, "Upload");

@InputType({ description: "Which uploads to list." })
export class UploadSearch implements SearchAttributes {
  @Field(() => [Int], { nullable: true, description: "Uploads of these numbers." })
  id?: number[] | null;

  @Field(() => [Int], { nullable: true, description: "Uploads by these users." })
  uploaderId?: number[] | null;

  @Field(() => String, { nullable: true, description: "Uploads by the user of this name." })
  uploaderName?: string | null;

  @Field(() => String, { nullable: true, description: "Uploads of exactly this source." })
  source?: string | null;

  @Field(() => String, { nullable: true, description: "Uploads of exactly this status." })
  status?: string | null;

  @Field(() => [Int], { nullable: true, description: "Uploads that became these posts." })
  postId?: number[] | null;
}

@InputType({ description: "A file or the URL of one, with what its post is to be." })
export class CreateUploadInput {
  @Field(() => FileScalar, {
    nullable: true,
    description: "The file, by the GraphQL multipart request specification. It wins over `source`.",
  })
  file?: Promise<FileUpload> | null;

  @Field(() => String, {
    nullable: true,
    description: "URL to download the file from; beside a file, only words about where it comes from.",
  })
  source?: string | null;

  @Field(() => Rating, {
    nullable: true,
    description: "How explicit it is. Required, here or as `rating:` in the tag string.",
  })
  rating?: string | null;

  @Field(() => Int, { nullable: true, description: "Number of the parent post." })
  parentId?: number | null;

  @Field(() => String, { description: "The tags, separated by blanks." })
  tagString!: string;

  @Field(() => String, { nullable: true, description: "MD5 that the file must have." })
  md5Confirmation?: string | null;

  @Field(() => Boolean, { nullable: true, description: "Ask for approval even where none is needed." })
  asPending?: boolean | null;
}

@ObjectType({ description: "The upload, which has become a post." })
export class CreateUploadPayload {
  @Field(() => Upload, { description: "The upload." })
  upload!: Upload;
}
