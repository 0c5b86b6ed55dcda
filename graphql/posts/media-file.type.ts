import { Field, Float, Int, ObjectType } from "type-graphql";

@ObjectType({ description: "One size of a post's file." })
export class MediaVariant {
  @Field(() => String, { description: "`original`, `sample` (850 pixels wide) or `preview` (at most 180 by 180)." })
  type!: string;

  @Field(() => String, { description: "Where the file is." })
  url!: string;

  @Field(() => Int, { description: "Width in pixels." })
  width!: number;

  @Field(() => Int, { description: "Height in pixels." })
  height!: number;

  @Field(() => String, { description: "Extension, without the dot." })
  fileExt!: string;
}

@ObjectType({ description: "A post's file, in all its sizes." })
export class MediaFile {
  @Field(() => Int, { description: "Number of the file." })
  id!: number;

  @Field(() => Date, { description: "When the file came to the board." })
  createdAt!: Date;

  @Field(() => String, { description: "MD5 of the file, 32 hexadecimal digits." })
  md5!: string;

  @Field(() => String, { description: "Extension, without the dot: what the bytes say, not what the name said." })
  fileExt!: string;

  @Field(() => Int, { description: "Size in bytes." })
  fileSize!: number;

  @Field(() => Int, { description: "Width in pixels." })
  imageWidth!: number;

  @Field(() => Int, { description: "Height in pixels." })
  imageHeight!: number;

  @Field(() => Float, { nullable: true, description: "Length in seconds; null for pictures." })
  duration!: number | null;

  @Field(() => [MediaVariant], {
    description: "The sizes that there are.",
    complexity: ({ childComplexity }) => 3 * childComplexity,
  })
  variants!: MediaVariant[];
}
