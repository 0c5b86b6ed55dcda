import { MediaFile } from "./media-file.type.js";
import { fileFacts, filesUrlOf } from "./post.facts.js";
import { Post } from "./post.type.js";
import { boolean, Costing, int, nested, nullable, objectType, oneOf, string, enumType } from "../shared/fields.js";
import { list, query, resolversOf } from "../shared/operations.js";

const PopularScale = enumType("PopularScale", "Length of a time span.", {
  DAY: ["day", "One day."],
  WEEK: ["week", "One week, starting on Monday."],
  MONTH: ["month", "One month."],
});

const PostCounts = objectType("PostCounts", "The number of posts.", {
  posts: int("Number of posts that match a search."),
  isEstimate: boolean("Whether the count is an estimate because counting would take too long."),
});

resolversOf(Post, {
  postCounts: query({
    returns: nested(() => PostCounts, "Number of posts that match a search.", Costing(20)),
    args: { tags: nullable(string("The search.")) },
    resolve: async (context, { tags }) => {
      const { count, isEstimate } = await context.board.posts.count(context, { tags });
      return { posts: count, isEstimate };
    },
  }),

  randomPost: query({
    returns: nullable(nested(() => Post, "A random post that matches a search.", Costing(20))),
    args: { tags: nullable(string("The search.")) },
    resolve: (context, { tags }) => context.board.posts.random(context, tags ?? ""),
  }),

  mediaFile: query({
    returns: nullable(nested(() => MediaFile, "The file with this ID, if the viewer may see it.")),
    args: { id: int("ID of the file.") },
    resolve: async (context, { id }) => {
      const post = await context.board.posts.byMediaFile(id, context.viewer);
      return post && fileFacts(post, context.viewer, filesUrlOf(context)).mediaFile;
    },
  }),

  popularPosts: list({
    of: Post,
    description: "Posts of a time span, highest score first.",
    args: {
      date: nullable(string("A day within the time span, such as 2026-01-31; today by default.")),
      scale: nullable(oneOf(PopularScale, "Length of the time span; a day by default.")),
    },
    find: (context, _, page, { date, scale }) => context.board.posts.popular(context, { date, scale }, page),
  }),
});
