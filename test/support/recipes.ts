/** The prerequisites of a successful call of each mutation, on a new record. */
import type { TestUser } from "./factory.js";
import { jpeg } from "./pictures.js";
import { type Site, serving } from "./site.js";
import { type Columns, fresh, type Stage } from "./stage.js";

export type Input = Record<string, unknown>;

/**
 * Creates the record. @returns the input of the mutation @param by the owner of the record @param viewer the caller; null for visitors
 */
export type Recipe = (by: TestUser, viewer: TestUser | null) => Promise<Input>;

const PASSWORD = "a good one";
const passwordOf = (viewer: TestUser | null): string => viewer?.password ?? "";

/** After these a viewer's API key is another one, or none. */
export const ENDS_KEYS: ReadonlySet<string> = new Set(["changePassword", "rotateApiKey", "closeAccount"]);

function postRecipes(stage: Stage, site: Site): Record<string, Recipe> {
  const { database } = stage.test.board;
  const post =
    (columns: Columns = {}, input: Input = {}): Recipe =>
    async (by) => ({ id: await stage.anotherPost({ uploader_id: by.id, ...columns }), ...input });
  const onPost =
    (columns: Columns = {}, input: Input = {}): Recipe =>
    async () => ({ postId: await stage.anotherPost(columns), ...input });
  return {
    updatePost: post({}, { tagString: "sea" }),
    updatePosts: async () => ({ postIds: [await stage.anotherPost()], tagChanges: "sea" }),
    revertPost: async (by) => {
      const id = await stage.anotherPost({ uploader_id: by.id, rating: "e" });
      return { id, versionId: await stage.version("post_versions", { post_id: id }) };
    },
    copyNotes: async () => ({ id: stage.records.posts, otherPostId: await stage.anotherPost() }),
    createPostVote: onPost({}, { score: "UP" }),
    deletePostVote: async (_, viewer) => {
      const postId = await stage.anotherPost({ up_score: 1, score: 1 });
      await database.postVote.create({ data: { postId, userId: (viewer ?? stage.owner).id, score: 1 } });
      return { postId };
    },
    createFavorite: onPost(),
    deleteFavorite: async (_, viewer) => {
      const postId = await stage.anotherPost({ fav_count: 1 });
      await database.favorite.create({ data: { postId, userId: (viewer ?? stage.owner).id } });
      return { postId };
    },
    createPostFlag: onPost({}, { reason: "A boat." }),
    createPostAppeal: onPost({ is_deleted: true }, { reason: "A ship." }),
    approvePost: post({ is_pending: true }),
    deletePost: post({}, { reason: "A boat." }),
    undeletePost: post({ is_deleted: true }),
    banPost: post(),
    unbanPost: post({ is_banned: true }),
    lockPost: post({}, { locks: ["NOTE", "RATING"] }),
    unlockPost: post({ is_note_locked: true }, { locks: ["NOTE"] }),
    movePostFavorites: post({ parent_id: stage.records.posts }),
    expungePost: post(),
    createUpload: async () => {
      const path = `/${fresh("picture")}.jpg`;
      site.pages.set(path, serving(await jpeg({ width: 20, height: 20, seed: 10_000 + site.pages.size })));
      return { source: `${site.url}${path}`, rating: "SAFE", tagString: "sea" };
    },
  };
}

function writtenRecipes({ another, anotherPost, version, records, test }: Stage): Record<string, Recipe> {
  const note: Recipe = async (by) => ({ id: await another("notes", { creator_id: by.id }) });
  const pool =
    (columns: Columns = {}, input: Input = {}): Recipe =>
    async (by) => ({ id: await another("pools", { name: fresh("fleet"), creator_id: by.id, ...columns }), ...input });
  const group =
    (input: Input = {}): Recipe =>
    async (by) => ({ id: await another("favorite_groups", { name: fresh("harbour"), creator_id: by.id }), ...input });
  const artist =
    (columns: Columns = {}, input: Input = {}): Recipe =>
    async (by) => ({ id: await another("artists", { name: fresh("by"), creator_id: by.id, ...columns }), ...input });
  const page =
    (input: Input = {}): Recipe =>
    async (by) => ({ id: await another("wiki_pages", { title: fresh("ship"), creator_id: by.id }), ...input });
  /** With the first version of the stage's own record, which differs from the copy's state. */
  const reverting =
    (recipe: Recipe, table: string, column: string): Recipe =>
    async (by, viewer) => {
      const input = await recipe(by, viewer);
      const state = ["pool_versions", "favorite_group_versions"].includes(table) ? { name: fresh("fleet") } : {};
      const names = { artist_versions: { name: fresh("by") }, wiki_page_versions: { title: fresh("ship") } };
      const own = names[table as keyof typeof names] ?? state;
      return { ...input, versionId: await version(table, { [column]: input.id, ...own }) };
    };
  return {
    createNote: async () => ({ postId: records.posts, x: 2, y: 2, width: 9, height: 9, body: "a mast" }),
    updateNote: async (by, viewer) => ({ ...(await note(by, viewer)), body: "a mast" }),
    deleteNote: note,
    revertNote: reverting(note, "note_versions", "note_id"),
    createPool: async () => ({ name: fresh("fleet"), description: "Ships." }),
    updatePool: pool({}, { description: "Boats." }),
    deletePool: pool(),
    undeletePool: pool({ is_deleted: true }),
    revertPool: reverting(pool(), "pool_versions", "pool_id"),
    createFavoriteGroup: async (_, viewer) => {
      // as many as a Member may have would be in the way of another one
      await test.board.database.favoriteGroup.deleteMany({ where: { creatorId: viewer?.id ?? 0 } });
      return { name: fresh("harbour") };
    },
    updateFavoriteGroup: group({ isPublic: false }),
    addPostToFavoriteGroup: async (by, viewer) => ({ ...(await group()(by, viewer)), postId: await anotherPost() }),
    removePostFromFavoriteGroup: group({ postId: records.posts }),
    deleteFavoriteGroup: group(),
    revertFavoriteGroup: reverting(group(), "favorite_group_versions", "favorite_group_id"),
    createArtist: async () => ({ name: fresh("by") }),
    updateArtist: artist({}, { groupName: "Painters" }),
    deleteArtist: artist(),
    undeleteArtist: artist({ is_active: false }),
    revertArtist: reverting(artist(), "artist_versions", "artist_id"),
    banArtist: artist(),
    unbanArtist: artist({ is_banned: true }),
    createWikiPage: async () => ({ title: fresh("ship"), body: "It swims." }),
    updateWikiPage: page({ body: "It sinks." }),
    deleteWikiPage: page(),
    revertWikiPage: reverting(page(), "wiki_page_versions", "wiki_page_id"),
    createOrUpdateArtistCommentary: async () => ({ postId: await anotherPost(), originalTitle: "Fune" }),
    revertArtistCommentary: async () => {
      const post_id = await anotherPost();
      const artist_commentary_id = await another("artist_commentaries", { post_id, original_title: "Umi" });
      return {
        postId: post_id,
        versionId: await version("artist_commentary_versions", { artist_commentary_id, post_id }),
      };
    },
  };
}

function spokenRecipes(stage: Stage): Record<string, Recipe> {
  const { another, bystander, owner, test } = stage;
  const comment =
    (columns: Columns = {}, input: Input = {}): Recipe =>
    async (by) => ({ id: await another("comments", { creator_id: by.id, updater_id: by.id, ...columns }), ...input });
  const topic =
    (columns: Columns = {}, input: Input = {}): Recipe =>
    async (by) => {
      const id = await another("forum_topics", { creator_id: by.id, ...columns });
      await another("forum_posts", { topic_id: id, creator_id: by.id });
      return { id, ...input };
    };
  const forumPost =
    (columns: Columns = {}, input: Input = {}): Recipe =>
    async (by) => ({ id: await another("forum_posts", { creator_id: by.id, ...columns }), ...input });
  const dmail =
    (input: Input = {}): Recipe =>
    async (by) => ({ id: await another("dmails", { owner_id: by.id, from_id: by.id }), ...input });
  return {
    createComment: async () => ({ postId: stage.records.posts, body: "Ahoy!" }),
    updateComment: comment({}, { body: "Ahoy!" }),
    deleteComment: comment(),
    undeleteComment: comment({ is_deleted: true }),
    createCommentVote: async () => ({ commentId: await another("comments"), score: "DOWN" }),
    deleteCommentVote: async (_, viewer) => {
      const commentId = await another("comments", { score: 1 });
      await test.board.database.commentVote.create({ data: { commentId, userId: (viewer ?? owner).id, score: 1 } });
      return { commentId };
    },
    createForumTopic: async () => ({ title: "Ships", originalPostAttributes: { body: "Which?" } }),
    updateForumTopic: topic({}, { title: "Boats" }),
    deleteForumTopic: topic(),
    undeleteForumTopic: topic({ is_deleted: true }),
    createForumPost: async () => ({ topicId: stage.records.forum_topics, body: "That one." }),
    updateForumPost: forumPost({}, { body: "This one." }),
    deleteForumPost: forumPost(),
    undeleteForumPost: forumPost({ is_deleted: true }),
    createDmail: async () => ({ toId: bystander.id, title: "Ahoy", body: "A ship!" }),
    readDmail: dmail(),
    updateDmail: dmail({ isRead: true }),
    deleteDmail: dmail(),
    markAllDmailsAsRead: async () => ({}),
  };
}

function otherRecipes({ another, owner, test }: Stage): Record<string, Recipe> {
  const relation =
    (table: "tag_aliases" | "tag_implications"): Recipe =>
    async (by) => {
      const names = { antecedent_name: fresh("boat"), consequent_name: fresh("ship") };
      return { id: await another(table, { ...names, creator_id: by.id, status: "pending" }) };
    };
  const asking: Recipe = async () => ({ antecedentName: fresh("boat"), consequentName: fresh("ship") });
  const user = (columns: Columns = {}): Promise<number> => another("users", { name: fresh("sailor"), ...columns });
  return {
    requestTagAlias: asking,
    approveTagAlias: relation("tag_aliases"),
    rejectTagAlias: relation("tag_aliases"),
    deleteTagAlias: relation("tag_aliases"),
    requestTagImplication: asking,
    approveTagImplication: relation("tag_implications"),
    rejectTagImplication: relation("tag_implications"),
    deleteTagImplication: relation("tag_implications"),
    banUser: async () => ({ userId: await user(), reason: "Piracy." }),
    unbanUser: async () => ({ userId: await user({ is_banned: true }) }),
    createUser: async () => ({ name: fresh("sailor"), password: PASSWORD }),
    createSession: async () => ({ name: owner.name, password: owner.password }),
    deleteAllSessions: async () => ({}),
    deleteSession: async () => ({}),
    changePassword: async (by, viewer) => ({ id: by.id, oldPassword: passwordOf(viewer), password: PASSWORD }),
    rotateApiKey: async (by, viewer) => ({ id: by.id, password: passwordOf(viewer) }),
    closeAccount: async (by, viewer) => ({ id: by.id, password: passwordOf(viewer) }),
    recoverAccount: async () => {
      const name = fresh("sailor");
      await user({ name });
      return { token: (await test.board.accountAdmin.makeRecovery(name)).token, password: PASSWORD };
    },
    updateSettings: async (by) => ({ id: by.id, perPage: 50 }),
  };
}

/** One for every mutation, by its name. */
export const recipesOn = (stage: Stage, site: Site): Record<string, Recipe> => ({
  ...postRecipes(stage, site),
  ...writtenRecipes(stage),
  ...spokenRecipes(stage),
  ...otherRecipes(stage),
});
