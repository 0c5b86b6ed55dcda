/** The content of a page for browsers without JavaScript: pictures, links and texts. */
import type { GalleryQuery, PostQuery } from "./__generated__/documents.js";
import { pageBefore, pageOf, type Place, postUrl, searchUrl } from "../routes.js";
import { pictureName, words } from "../titles.js";
import { type Html, markup } from "./html.js";

function galleryList({ query }: Place, { posts }: GalleryQuery): Html {
  const tags = query.get("tags") ?? "";
  const before = pageBefore(pageOf(query));
  const { nextPage } = posts.pageInfo;
  const shown = ({ id, hiddenBy, thumbnail, tagString }: GalleryQuery["posts"]["nodes"][number]) => {
    if (hiddenBy.length > 0) return `Post ${id}, hidden by ${hiddenBy.join(" and ")}`;
    return thumbnail
      ? markup`<img src="${thumbnail.url}" srcset="${thumbnail.srcSet}" sizes="180px" alt="${pictureName(tagString)}" loading="lazy" />`
      : `Post ${id}`;
  };
  const tile = (each: GalleryQuery["posts"]["nodes"][number]) =>
    markup` <li><a href="${postUrl(each.id, tags)}">${shown(each)}</a></li>`;
  return markup`${posts.nodes.length === 0 && markup`<p>Nothing found.</p>`}
    <ul class="Plain">
      ${posts.nodes.map(tile)}
    </ul>
    <p>
      ${before && markup`<a href="${searchUrl(tags, before)}" rel="prev">Previous page</a> `}
      ${nextPage && markup`<a href="${searchUrl(tags, nextPage)}" rel="next">Next page</a>`}
    </p>`;
}

function postText({ post }: PostQuery): Html {
  if (!post) return markup``;
  const { fileUrl, largeFileUrl } = post;
  const isVideo = /^(mp4|webm)$/.test(post.fileExt);
  const picture = isVideo
    ? markup`<video src="${fileUrl}" aria-label="${pictureName(post.tagString)}" controls></video>`
    : markup`<a href="${fileUrl}"><img src="${largeFileUrl}" alt="${pictureName(post.tagString)}" /></a>`;
  const tag = (name: string) => markup`<li><a href="${searchUrl(name)}">${words(name)}</a></li>`;
  return markup`<p>${fileUrl ? picture : "You can't see the file of this post."}</p>
    <ul>
      ${post.tagString.split(" ").filter(Boolean).map(tag)}
    </ul>`;
}

/** @param data the response of the page's document, if it has one */
export function noscriptOf(place: Place, data: unknown): Html {
  if (place.page === "gallery" && data) return galleryList(place, data as GalleryQuery);
  if (place.page === "post" && data) return postText(data as PostQuery);
  return markup`<p>This page needs JavaScript.</p>`;
}
