/**
 * All resources of the board, one row each. The services of the board, the loaders by id, the histories (listings,
 * `board verify`), and the tables of permissions are derived from it.
 */
import { AccountAdmin, type AccountAdminParts } from "./accounts/account.admin.js";
import { accountRights } from "./accounts/account.policy.js";
import { AccountService, type AccountServiceParts } from "./accounts/account.service.js";
import { artistCommentaryRights } from "./artist-commentaries/artist-commentary.policy.js";
import { artistCommentaryHistory } from "./artist-commentaries/artist-commentary.records.js";
import { ArtistCommentaryService } from "./artist-commentaries/artist-commentary.service.js";
import { artistRights } from "./artists/artist.policy.js";
import { artistHistory } from "./artists/artist.records.js";
import { ArtistService } from "./artists/artist.service.js";
import { AutocompleteService } from "./autocomplete/autocomplete.service.js";
import { banRights } from "./bans/ban.policy.js";
import { BanService } from "./bans/ban.service.js";
import { commentRights } from "./comments/comment.policy.js";
import { CommentService } from "./comments/comment.service.js";
import { dmailRights } from "./dmails/dmail.policy.js";
import { DmailService } from "./dmails/dmail.service.js";
import { favoriteGroupRights } from "./favorite-groups/favorite-group.policy.js";
import { favoriteGroupHistory } from "./favorite-groups/favorite-group.records.js";
import { FavoriteGroupService } from "./favorite-groups/favorite-group.service.js";
import { FavoriteService } from "./favorites/favorite.service.js";
import { ForumPostService } from "./forum/forum-post.service.js";
import { ForumTopicService } from "./forum/forum-topic.service.js";
import { forumRights, listed, maySeeTopic } from "./forum/forum.policy.js";
import { ModActionService } from "./mod-actions/mod-action.js";
import { NoteCopyService } from "./notes/note.copy.js";
import { noteRights } from "./notes/note.policy.js";
import { noteHistory } from "./notes/note.records.js";
import { NoteService } from "./notes/note.service.js";
import { poolRights } from "./pools/pool.policy.js";
import { poolHistory } from "./pools/pool.records.js";
import { PoolService } from "./pools/pool.service.js";
import { PostAppealService } from "./post-appeals/post-appeal.service.js";
import { postFlagRights } from "./post-flags/post-flag.policy.js";
import { PostFlagService } from "./post-flags/post-flag.service.js";
import { PostModerationService, type PostModerationParts } from "./posts/post-moderation.service.js";
import { postRights } from "./posts/post.policy.js";
import { type PostEditParts, PostEditService } from "./posts/post-edit.service.js";
import { PostService } from "./posts/post.service.js";
import { TagEditService } from "./posts/post.tag-edit.js";
import { postHistory } from "./posts/post.versions.js";
import { RelatedTagService } from "./related-tags/related-tag.service.js";
import { sessionRights } from "./session/session.policy.js";
import { open, type Rights } from "./shared/policy.js";
import { favoriteRights } from "./shared/privacy.policy.js";
import { TagRelationApplier, type ApplyParts } from "./tag-relations/tag-relation.apply.js";
import { tagRelationRights } from "./tag-relations/tag-relation.policy.js";
import { TagRelationService } from "./tag-relations/tag-relation.service.js";
import { TagService } from "./tags/tag.service.js";
import { uploadRights } from "./uploads/upload.policy.js";
import { UploadService, type UploadServiceParts } from "./uploads/upload.service.js";
import { UserFeedbackService } from "./user-feedbacks/user-feedback.service.js";
import { BlacklistService, type BlacklistParts } from "./users/blacklist.service.js";
import { UserService } from "./users/user.service.js";
import { UserSettingsService } from "./users/user.settings.js";
import { ON_COMMENTS, ON_POSTS, VoteService } from "./votes/vote.service.js";
import { wikiPageRights } from "./wiki-pages/wiki-page.policy.js";
import { wikiPageHistory } from "./wiki-pages/wiki-page.records.js";
import { WikiPageService } from "./wiki-pages/wiki-page.service.js";

/** The dependencies of services; each takes what it needs. */
export type Parts = AccountAdminParts &
  AccountServiceParts &
  ApplyParts &
  BlacklistParts &
  PostModerationParts &
  PostEditParts &
  UploadServiceParts;

/** A resource; the row has the name of its service on the board. */
interface Resource {
  service: (parts: Parts) => object;
  /** for records that GraphQL finds by id: the name of one; the service has `byIds` */
  record?: string;
  /** for records with versions */
  history?: object;
  rights?: Rights;
}

/** A service that only needs the parts. */
const of =
  <Needs, Service extends object>(Service: new (parts: Needs) => Service) =>
  (parts: Needs): Service =>
    new Service(parts);

export const RESOURCES = {
  accountAdmin: { service: of(AccountAdmin) },
  accounts: { service: of(AccountService), rights: accountRights },
  artistCommentaries: {
    record: "artistCommentary",
    service: of(ArtistCommentaryService),
    history: artistCommentaryHistory,
    rights: artistCommentaryRights,
  },
  artists: {
    record: "artist",
    service: of(ArtistService),
    history: artistHistory,
    rights: artistRights,
  },
  autocomplete: { service: of(AutocompleteService), rights: { reads: { autocomplete: open } } },
  bans: { record: "ban", service: of(BanService), rights: banRights },
  blacklists: { service: of(BlacklistService) },
  comments: { record: "comment", service: of(CommentService), rights: commentRights },
  commentVotes: { service: (parts) => new VoteService(ON_COMMENTS, parts) },
  dmails: { service: of(DmailService), rights: dmailRights },
  favoriteGroups: {
    record: "favoriteGroup",
    service: of(FavoriteGroupService),
    history: favoriteGroupHistory,
    rights: favoriteGroupRights,
  },
  favorites: { service: of(FavoriteService), rights: favoriteRights },
  forumPosts: { record: "forumPost", service: of(ForumPostService), rights: forumRights },
  forumTopics: { record: "forumTopic", service: of(ForumTopicService) },
  modActions: {
    record: "modAction",
    service: of(ModActionService),
    rights: { reads: { modAction: listed, modActions: listed }, fields: { ModAction: maySeeTopic } },
  },
  noteCopies: { service: of(NoteCopyService) },
  notes: { record: "note", service: of(NoteService), history: noteHistory, rights: noteRights },
  pools: { record: "pool", service: of(PoolService), history: poolHistory, rights: poolRights },
  postAppeals: { record: "postAppeal", service: of(PostAppealService) },
  postEdits: { service: of(PostEditService) },
  postFlags: { record: "postFlag", service: of(PostFlagService), rights: postFlagRights },
  postModeration: { service: of(PostModerationService) },
  posts: { record: "post", service: of(PostService), history: postHistory, rights: postRights },
  postVotes: { service: (parts) => new VoteService(ON_POSTS, parts) },
  relatedTags: { service: of(RelatedTagService), rights: { reads: { relatedTags: open } } },
  tagAliases: {
    record: "tagAlias",
    service: (parts) => new TagRelationService("alias", parts),
    rights: tagRelationRights,
  },
  tagEdits: { service: of(TagEditService) },
  tagImplications: { record: "tagImplication", service: (parts) => new TagRelationService("implication", parts) },
  tagRelationApplier: { service: of(TagRelationApplier) },
  tags: { record: "tag", service: of(TagService), rights: { reads: { tag: open, tags: open } } },
  uploads: { record: "upload", service: of(UploadService), rights: uploadRights },
  userFeedbacks: {
    record: "userFeedback",
    service: of(UserFeedbackService),
    rights: { reads: { userFeedback: open, userFeedbacks: open } },
  },
  users: { record: "user", service: of(UserService), rights: { reads: { user: open, users: open } } },
  userSettings: { service: of(UserSettingsService) },
  wikiPages: {
    record: "wikiPage",
    service: of(WikiPageService),
    history: wikiPageHistory,
    rights: wikiPageRights,
  },
} as const satisfies Readonly<Record<string, Resource>>;

type Rows = typeof RESOURCES;

/** The services of a board, by the names of the rows. */
export type Services = { readonly [Name in keyof Rows]: ReturnType<Rows[Name]["service"]> };

export const openServices = (parts: Parts): Services =>
  Object.fromEntries(Object.entries(RESOURCES).map(([name, { service }]) => [name, service(parts)])) as never;

/** The names of the rows whose records are found by id, by the name of one record. */
export type RowOf = {
  [Name in keyof Rows as Rows[Name] extends { record: infer Record extends string } ? Record : never]: Name;
};

export const ROWS = Object.fromEntries(
  Object.entries<Resource>(RESOURCES).flatMap(([name, { record }]) => (record ? [[record, name]] : [])),
) as RowOf;

/** The histories, by the name of one record. */
type Histories = {
  [
    Name in keyof Rows as Rows[Name] extends { history: object; record: infer Record extends string } ? Record : never
  ]: Rows[Name] extends { history: infer History } ? History : never;
};

const rows: readonly Resource[] = Object.values(RESOURCES);

export const HISTORIES = Object.fromEntries(
  rows.flatMap(({ record, history }) => (record && history ? [[record, history]] : [])),
) as Histories;

/** Rights of fields that belong to no resource. */
const BOARD: Rights = { reads: { board: open, node: open, renderText: open } };

export const RIGHTS: readonly Rights[] = [BOARD, sessionRights, ...rows.flatMap(({ rights }) => rights ?? [])];
