-- META-TAGS

-- id:12
posts.id = $1::int
-- $1 = "12"

-- id:1,5..7,>90
((posts.id >= $1::int AND posts.id <= $2::int) OR (posts.id > $3::int) OR posts.id = $4::int)
-- $1 = "5"
-- $2 = "7"
-- $3 = "90"
-- $4 = "1"

-- width:>=1920
(posts.image_width >= $1::int)
-- $1 = "1920"

-- height:1080
posts.image_height = $1::int
-- $1 = "1080"

-- mpixels:>4
((posts.image_width::bigint * posts.image_height) > $1::bigint)
-- $1 = "4000000"

-- ratio:16:9
round(posts.image_width::numeric / posts.image_height, 2) = $1::numeric
-- $1 = "1.78"

-- ratio:<1
(round(posts.image_width::numeric / posts.image_height, 2) < $1::numeric)
-- $1 = "1"

-- filesize:200k
(posts.file_size >= $1::int AND posts.file_size <= $2::int)
-- $1 = "194560"
-- $2 = "215040"

-- filesize:1m..2m
(posts.file_size >= $1::int AND posts.file_size <= $2::int)
-- $1 = "1048576"
-- $2 = "2097152"

-- duration:>1m30s
EXISTS (SELECT 1 FROM media_files file WHERE file.id = posts.media_file_id AND (file.duration > $1::float8))
-- $1 = "90"

-- duration:1:30
EXISTS (SELECT 1 FROM media_files file WHERE file.id = posts.media_file_id AND (file.duration >= $1::float8
  AND file.duration <= $2::float8))
-- $1 = "85.5"
-- $2 = "94.5"

-- duration:none
EXISTS (SELECT 1 FROM media_files file WHERE file.id = posts.media_file_id AND file.duration IS NULL)

-- score:>=10
(posts.score >= $1::int)
-- $1 = "10"

-- score:<0
(posts.score < $1::int)
-- $1 = "0"

-- upvotes:>5
(posts.up_score > $1::int)
-- $1 = "5"

-- downvotes:0
posts.down_score = $1::int
-- $1 = "0"

-- favcount:>20
(posts.fav_count > $1::int)
-- $1 = "20"

-- tagcount:<10
(posts.tag_count < $1::int)
-- $1 = "10"

-- gentags:0
posts.tag_count_general = $1::int
-- $1 = "0"

-- arttags:>1
(posts.tag_count_artist > $1::int)
-- $1 = "1"

-- copytags:0
posts.tag_count_copyright = $1::int
-- $1 = "0"

-- chartags:2..5
(posts.tag_count_character >= $1::int AND posts.tag_count_character <= $2::int)
-- $1 = "2"
-- $2 = "5"

-- metatags:0
posts.tag_count_meta = $1::int
-- $1 = "0"

-- pixiv_id:any
posts.pixiv_id IS NOT NULL

-- date:2026-01-31
(posts.created_at >= $1::timestamptz AND posts.created_at < $2::timestamptz)
-- $1 = "2026-01-31T00:00:00.000Z"
-- $2 = "2026-02-01T00:00:00.000Z"

-- date:2026-01..2026-03
(posts.created_at >= $1::timestamptz AND posts.created_at <= $2::timestamptz)
-- $1 = "2026-01-01T00:00:00.000Z"
-- $2 = "2026-03-01T00:00:00.000Z"

-- age:<1w
(posts.created_at > $1::timestamptz)
-- $1 = "2026-03-24T12:00:00.000Z"

-- age:2d..1mo
(posts.created_at >= $1::timestamptz AND posts.created_at <= $2::timestamptz)
-- $1 = "2026-02-28T12:00:00.000Z"
-- $2 = "2026-03-29T12:00:00.000Z"

-- comment_count:>2
EXISTS (SELECT 1 FROM post_counts counted WHERE counted.post_id = posts.id AND counted.kind = 'comments' AND
  (counted.number > $1::int))
-- $1 = "2"

-- comment_count:0
NOT EXISTS (SELECT 1 FROM post_counts counted WHERE counted.post_id = posts.id AND counted.kind = 'comments'
  AND TRUE OFFSET 0)

-- active_comment_count:>2
EXISTS (SELECT 1 FROM post_counts counted WHERE counted.post_id = posts.id AND counted.kind =
  'active_comments' AND (counted.number > $1::int))
-- $1 = "2"

-- active_comment_count:0
NOT EXISTS (SELECT 1 FROM post_counts counted WHERE counted.post_id = posts.id AND counted.kind =
  'active_comments' AND TRUE OFFSET 0)

-- deleted_comment_count:>2
EXISTS (SELECT 1 FROM post_counts counted WHERE counted.post_id = posts.id AND counted.kind =
  'deleted_comments' AND (counted.number > $1::int))
-- $1 = "2"

-- deleted_comment_count:0
NOT EXISTS (SELECT 1 FROM post_counts counted WHERE counted.post_id = posts.id AND counted.kind =
  'deleted_comments' AND TRUE OFFSET 0)

-- note_count:>2
EXISTS (SELECT 1 FROM post_counts counted WHERE counted.post_id = posts.id AND counted.kind = 'notes' AND
  (counted.number > $1::int))
-- $1 = "2"

-- note_count:0
NOT EXISTS (SELECT 1 FROM post_counts counted WHERE counted.post_id = posts.id AND counted.kind = 'notes' AND
  TRUE OFFSET 0)

-- active_note_count:>2
EXISTS (SELECT 1 FROM post_counts counted WHERE counted.post_id = posts.id AND counted.kind = 'active_notes'
  AND (counted.number > $1::int))
-- $1 = "2"

-- active_note_count:0
NOT EXISTS (SELECT 1 FROM post_counts counted WHERE counted.post_id = posts.id AND counted.kind =
  'active_notes' AND TRUE OFFSET 0)

-- deleted_note_count:>2
EXISTS (SELECT 1 FROM post_counts counted WHERE counted.post_id = posts.id AND counted.kind = 'deleted_notes'
  AND (counted.number > $1::int))
-- $1 = "2"

-- deleted_note_count:0
NOT EXISTS (SELECT 1 FROM post_counts counted WHERE counted.post_id = posts.id AND counted.kind =
  'deleted_notes' AND TRUE OFFSET 0)

-- flag_count:>2
EXISTS (SELECT 1 FROM post_counts counted WHERE counted.post_id = posts.id AND counted.kind = 'flags' AND
  (counted.number > $1::int))
-- $1 = "2"

-- flag_count:0
NOT EXISTS (SELECT 1 FROM post_counts counted WHERE counted.post_id = posts.id AND counted.kind = 'flags' AND
  TRUE OFFSET 0)

-- appeal_count:>2
EXISTS (SELECT 1 FROM post_counts counted WHERE counted.post_id = posts.id AND counted.kind = 'appeals' AND
  (counted.number > $1::int))
-- $1 = "2"

-- appeal_count:0
NOT EXISTS (SELECT 1 FROM post_counts counted WHERE counted.post_id = posts.id AND counted.kind = 'appeals'
  AND TRUE OFFSET 0)

-- approval_count:>2
EXISTS (SELECT 1 FROM post_counts counted WHERE counted.post_id = posts.id AND counted.kind = 'approvals' AND
  (counted.number > $1::int))
-- $1 = "2"

-- approval_count:0
NOT EXISTS (SELECT 1 FROM post_counts counted WHERE counted.post_id = posts.id AND counted.kind = 'approvals'
  AND TRUE OFFSET 0)

-- child_count:>2
EXISTS (SELECT 1 FROM post_counts counted WHERE counted.post_id = posts.id AND counted.kind = 'children' AND
  (counted.number > $1::int))
-- $1 = "2"

-- child_count:0
NOT EXISTS (SELECT 1 FROM post_counts counted WHERE counted.post_id = posts.id AND counted.kind = 'children'
  AND TRUE OFFSET 0)

-- active_child_count:>2
EXISTS (SELECT 1 FROM post_counts counted WHERE counted.post_id = posts.id AND counted.kind =
  'active_children' AND (counted.number > $1::int))
-- $1 = "2"

-- active_child_count:0
NOT EXISTS (SELECT 1 FROM post_counts counted WHERE counted.post_id = posts.id AND counted.kind =
  'active_children' AND TRUE OFFSET 0)

-- deleted_child_count:>2
EXISTS (SELECT 1 FROM post_counts counted WHERE counted.post_id = posts.id AND counted.kind =
  'deleted_children' AND (counted.number > $1::int))
-- $1 = "2"

-- deleted_child_count:0
NOT EXISTS (SELECT 1 FROM post_counts counted WHERE counted.post_id = posts.id AND counted.kind =
  'deleted_children' AND TRUE OFFSET 0)

-- pool_count:>2
EXISTS (SELECT 1 FROM post_counts counted WHERE counted.post_id = posts.id AND counted.kind = 'pools' AND
  (counted.number > $1::int))
-- $1 = "2"

-- pool_count:0
NOT EXISTS (SELECT 1 FROM post_counts counted WHERE counted.post_id = posts.id AND counted.kind = 'pools' AND
  TRUE OFFSET 0)

-- active_pool_count:>2
EXISTS (SELECT 1 FROM post_counts counted WHERE counted.post_id = posts.id AND counted.kind = 'active_pools'
  AND (counted.number > $1::int))
-- $1 = "2"

-- active_pool_count:0
NOT EXISTS (SELECT 1 FROM post_counts counted WHERE counted.post_id = posts.id AND counted.kind =
  'active_pools' AND TRUE OFFSET 0)

-- deleted_pool_count:>2
EXISTS (SELECT 1 FROM post_counts counted WHERE counted.post_id = posts.id AND counted.kind = 'deleted_pools'
  AND (counted.number > $1::int))
-- $1 = "2"

-- deleted_pool_count:0
NOT EXISTS (SELECT 1 FROM post_counts counted WHERE counted.post_id = posts.id AND counted.kind =
  'deleted_pools' AND TRUE OFFSET 0)

-- series_pool_count:>2
EXISTS (SELECT 1 FROM post_counts counted WHERE counted.post_id = posts.id AND counted.kind = 'series_pools'
  AND (counted.number > $1::int))
-- $1 = "2"

-- series_pool_count:0
NOT EXISTS (SELECT 1 FROM post_counts counted WHERE counted.post_id = posts.id AND counted.kind =
  'series_pools' AND TRUE OFFSET 0)

-- collection_pool_count:>2
EXISTS (SELECT 1 FROM post_counts counted WHERE counted.post_id = posts.id AND counted.kind =
  'collection_pools' AND (counted.number > $1::int))
-- $1 = "2"

-- collection_pool_count:0
NOT EXISTS (SELECT 1 FROM post_counts counted WHERE counted.post_id = posts.id AND counted.kind =
  'collection_pools' AND TRUE OFFSET 0)

-- user:albert
posts.uploader_id = (SELECT users.id FROM users WHERE lower(users.name) = $1)
-- $1 = "albert"

-- user:any
posts.uploader_id IS NOT NULL

-- user:none
posts.uploader_id IS NULL

-- approver:albert
posts.approver_id = (SELECT users.id FROM users WHERE lower(users.name) = $1)
-- $1 = "albert"

-- approver:any
posts.approver_id IS NOT NULL

-- approver:none
posts.approver_id IS NULL

-- commenter:albert
posts.id IN (SELECT made.post_id FROM comments made WHERE made.creator_id = (SELECT users.id FROM users WHERE
  lower(users.name) = $1) AND NOT made.is_deleted)
-- $1 = "albert"

-- commenter:any
EXISTS (SELECT 1 FROM post_counts counted WHERE counted.post_id = posts.id AND counted.kind =
  'active_comments' AND TRUE)

-- commenter:none
NOT EXISTS (SELECT 1 FROM post_counts counted WHERE counted.post_id = posts.id AND counted.kind =
  'active_comments' AND TRUE OFFSET 0)

-- noter:albert
posts.id IN (SELECT made.post_id FROM notes made WHERE made.creator_id = (SELECT users.id FROM users WHERE
  lower(users.name) = $1) AND TRUE)
-- $1 = "albert"

-- noter:any
EXISTS (SELECT 1 FROM post_counts counted WHERE counted.post_id = posts.id AND counted.kind = 'notes' AND
  TRUE)

-- noter:none
NOT EXISTS (SELECT 1 FROM post_counts counted WHERE counted.post_id = posts.id AND counted.kind = 'notes' AND
  TRUE OFFSET 0)

-- noteupdater:albert
posts.id IN (SELECT made.post_id FROM note_versions made WHERE made.updater_id = (SELECT users.id FROM users
  WHERE lower(users.name) = $1) AND TRUE)
-- $1 = "albert"

-- noteupdater:any
EXISTS (SELECT 1 FROM note_versions made WHERE made.post_id = posts.id)

-- noteupdater:none
NOT EXISTS (SELECT 1 FROM note_versions made WHERE made.post_id = posts.id)

-- artcomm:albert
posts.id IN (SELECT made.post_id FROM artist_commentary_versions made WHERE made.updater_id = (SELECT users.id
  FROM users WHERE lower(users.name) = $1) AND TRUE)
-- $1 = "albert"

-- artcomm:any
EXISTS (SELECT 1 FROM artist_commentary_versions made WHERE made.post_id = posts.id)

-- artcomm:none
NOT EXISTS (SELECT 1 FROM artist_commentary_versions made WHERE made.post_id = posts.id)

-- fav:albert
posts.id IN (SELECT made.post_id FROM favorites made WHERE made.user_id = ( SELECT users.id FROM users WHERE
  lower(users.name) = $1 AND (NOT users.enable_private_favorites OR users.id = $2::int OR $3)))
-- $1 = "albert"
-- $2 = 7
-- $3 = false

-- ordfav:albert
posts.id IN (SELECT made.post_id FROM favorites made WHERE made.user_id = ( SELECT users.id FROM users WHERE
  lower(users.name) = $1 AND (NOT users.enable_private_favorites OR users.id = $2::int OR $3)))
-- $1 = "albert"
-- $2 = 7
-- $3 = false
JOIN favorites ON favorites.post_id = posts.id AND favorites.user_id = ( SELECT users.id FROM users WHERE
  lower(users.name) = $1 AND (NOT users.enable_private_favorites OR users.id = $2::int OR $3))
-- $1 = "albert"
-- $2 = 7
-- $3 = false
ORDER BY favorites.id DESC

-- upvote:albert
posts.id IN (SELECT made.post_id FROM post_votes made WHERE made.user_id = (SELECT users.id FROM users WHERE
  lower(users.name) = $1) AND made.score > 0 AND (made.user_id = $2::int OR $3))
-- $1 = "albert"
-- $2 = 7
-- $3 = false

-- downvote:albert
posts.id IN (SELECT made.post_id FROM post_votes made WHERE made.user_id = (SELECT users.id FROM users WHERE
  lower(users.name) = $1) AND made.score < 0 AND (made.user_id = $2::int OR $3))
-- $1 = "albert"
-- $2 = 7
-- $3 = false

-- rating:s
posts.rating IN ($1::bpchar)
-- $1 = "s"

-- -rating:explicit
posts.rating IN ($1::bpchar)
-- $1 = "e"

-- rating:q,e
posts.rating IN ($1::bpchar,$2::bpchar)
-- $1 = "q"
-- $2 = "e"

-- status:pending
posts.is_pending

-- -status:deleted
posts.is_deleted

-- status:active
NOT (posts.is_pending OR posts.is_deleted OR posts.is_flagged)

-- status:modqueue
(posts.is_pending OR posts.is_flagged OR (posts.is_deleted AND EXISTS (SELECT 1 FROM post_appeals appeal WHERE
  appeal.post_id = posts.id)))

-- status:unmoderated
((posts.is_pending OR posts.is_flagged OR (posts.is_deleted AND EXISTS (SELECT 1 FROM post_appeals appeal
  WHERE appeal.post_id = posts.id))) AND NOT EXISTS ( SELECT 1 FROM post_disapprovals seen WHERE seen.post_id
  = posts.id AND seen.user_id = $1::int))
-- $1 = 7

-- locked:notes
posts.is_note_locked

-- locked:status
posts.is_status_locked

-- embedded:yes
((posts.bit_flags & 1) <> 0)

-- md5:0123456789abcdef0123456789abcdef
posts.md5 = ANY($1::bpchar[])
-- $1 = "{0123456789abcdef0123456789abcdef}"

-- filetype:png
posts.file_ext = $1
-- $1 = "png"

-- filetype:mp4,webm
posts.file_ext = ANY($1::text[])
-- $1 = "{mp4,webm}"

-- source:https://example.com/
lower(posts.source) LIKE $1
-- $1 = "https://example.com/%"

-- source:*twitter*
lower(posts.source) LIKE $1
-- $1 = "%twitter%"

-- source:none
posts.source = ''

-- source:"a book"
lower(posts.source) LIKE $1
-- $1 = "a book%"

-- parent:12
(posts.id = $1::int OR posts.parent_id = $2::int)
-- $1 = 12
-- $2 = 12

-- parent:none
posts.parent_id IS NULL

-- parent:deleted
(posts.parent_id IS NOT NULL AND (SELECT parent.is_deleted FROM posts parent WHERE parent.id =
  posts.parent_id))

-- child:any
posts.has_children

-- child:none
NOT posts.has_children

-- child:pending
(posts.has_children AND EXISTS (SELECT 1 FROM posts child WHERE child.parent_id = posts.id AND
  child.is_pending OFFSET 0))

-- pool:12
posts.id IN (SELECT unnest(pools.post_ids) AS id FROM pools WHERE pools.id = $1::int)
-- $1 = 12

-- pool:some_series
posts.id IN (SELECT unnest(pools.post_ids) AS id FROM pools WHERE lower(pools.name) = $1)
-- $1 = "some_series"

-- pool:none
NOT EXISTS (SELECT 1 FROM post_counts counted WHERE counted.post_id = posts.id AND counted.kind =
  'active_pools' AND TRUE OFFSET 0)

-- pool:series
EXISTS (SELECT 1 FROM post_counts counted WHERE counted.post_id = posts.id AND counted.kind = 'series_pools'
  AND TRUE)

-- pool:*party*
EXISTS ( SELECT 1 FROM (SELECT pools.name FROM pools WHERE pools.post_ids @> ARRAY[posts.id] OFFSET 0) pools
  WHERE lower(pools.name) LIKE $1)
-- $1 = "%party%"

-- ordpool:12
posts.id IN (SELECT unnest(pools.post_ids) AS id FROM pools WHERE pools.id = $1::int)
-- $1 = 12
JOIN (SELECT member.post_id, min(member.place) AS place FROM pools, unnest(pools.post_ids) WITH ORDINALITY AS
  member(post_id, place) WHERE pools.id = $1::int GROUP BY member.post_id) member ON member.post_id = posts.id
-- $1 = 12
ORDER BY member.place ASC

-- ordpool:some_series
posts.id IN (SELECT unnest(pools.post_ids) AS id FROM pools WHERE lower(pools.name) = $1)
-- $1 = "some_series"
JOIN (SELECT member.post_id, min(member.place) AS place FROM pools, unnest(pools.post_ids) WITH ORDINALITY AS
  member(post_id, place) WHERE lower(pools.name) = $1 GROUP BY member.post_id) member ON member.post_id =
  posts.id
-- $1 = "some_series"
ORDER BY member.place ASC

-- is:child
posts.parent_id IS NOT NULL

-- is:sfw
posts.rating = 's'

-- is:png
posts.file_ext = $1
-- $1 = "png"

-- is:pending
posts.is_pending

-- is:explicit
posts.rating IN ($1::bpchar)
-- $1 = "e"

-- has:notes
EXISTS (SELECT 1 FROM post_counts counted WHERE counted.post_id = posts.id AND counted.kind = 'active_notes'
  AND TRUE)

-- -has:source
posts.source <> ''

-- has:pools
EXISTS (SELECT 1 FROM post_counts counted WHERE counted.post_id = posts.id AND counted.kind = 'active_pools'
  AND TRUE)

-- has:children
posts.has_children

-- favgroup:12
posts.id IN (SELECT unnest(g.post_ids) FROM favorite_groups g WHERE g.id = $1::int AND (g.is_public OR
  g.creator_id = $2::int))
-- $1 = 12
-- $2 = 7

-- favgroup:my_ships
posts.id IN (SELECT unnest(g.post_ids) FROM favorite_groups g WHERE g.creator_id = $1::int AND lower(g.name) =
  $2)
-- $1 = 7
-- $2 = "my_ships"

-- ordfavgroup:12
posts.id IN (SELECT unnest(g.post_ids) FROM favorite_groups g WHERE g.id = $1::int AND (g.is_public OR
  g.creator_id = $2::int))
-- $1 = 12
-- $2 = 7
JOIN (SELECT member.post_id, member.place FROM favorite_groups g, unnest(g.post_ids) WITH ORDINALITY AS
  member(post_id, place) WHERE g.id = $1::int AND (g.is_public OR g.creator_id = $2::int)) kept ON
  kept.post_id = posts.id
-- $1 = 12
-- $2 = 7
ORDER BY kept.place ASC

-- ordfavgroup:my_ships
posts.id IN (SELECT unnest(g.post_ids) FROM favorite_groups g WHERE g.creator_id = $1::int AND lower(g.name) =
  $2)
-- $1 = 7
-- $2 = "my_ships"
JOIN (SELECT member.post_id, member.place FROM favorite_groups g, unnest(g.post_ids) WITH ORDINALITY AS
  member(post_id, place) WHERE g.creator_id = $1::int AND lower(g.name) = $2) kept ON kept.post_id = posts.id
-- $1 = 7
-- $2 = "my_ships"
ORDER BY kept.place ASC

-- order:score
ORDER BY posts.score DESC, posts.id DESC

-- order:id_asc
ORDER BY posts.id ASC

-- order:random
ORDER BY random() ASC

-- limit:50
LIMIT 50

-- random:5
ORDER BY random() ASC
LIMIT 5

-- unaliased:colour
-- the tag "colour"

-- ORDERS

-- order: id_desc, none
ORDER BY posts.id DESC

-- order: id, id_asc
ORDER BY posts.id ASC

-- order: score, score_desc
ORDER BY posts.score DESC, posts.id DESC

-- order: score_asc
ORDER BY posts.score ASC, posts.id ASC

-- order: upvotes, upvotes_desc
ORDER BY posts.up_score DESC, posts.id DESC

-- order: upvotes_asc
ORDER BY posts.up_score ASC, posts.id ASC

-- order: downvotes, downvotes_desc
ORDER BY posts.down_score ASC, posts.id ASC

-- order: downvotes_asc
ORDER BY posts.down_score DESC, posts.id DESC

-- order: favcount, favcount_desc
ORDER BY posts.fav_count DESC, posts.id DESC

-- order: favcount_asc
ORDER BY posts.fav_count ASC, posts.id ASC

-- order: change, change_desc
ORDER BY posts.updated_at DESC, posts.id DESC

-- order: change_asc
ORDER BY posts.updated_at ASC, posts.id ASC

-- order: created_at, created_at_desc
ORDER BY posts.created_at DESC, posts.id DESC

-- order: created_at_asc
ORDER BY posts.created_at ASC, posts.id ASC

-- order: mpixels, mpixels_desc
ORDER BY (posts.image_width::bigint * posts.image_height) DESC, posts.id DESC

-- order: mpixels_asc
ORDER BY (posts.image_width::bigint * posts.image_height) ASC, posts.id ASC

-- order: filesize, filesize_desc
ORDER BY posts.file_size DESC, posts.id DESC

-- order: filesize_asc
ORDER BY posts.file_size ASC, posts.id ASC

-- order: width, width_desc
ORDER BY posts.image_width DESC, posts.id DESC

-- order: width_asc
ORDER BY posts.image_width ASC, posts.id ASC

-- order: height, height_desc
ORDER BY posts.image_height DESC, posts.id DESC

-- order: height_asc
ORDER BY posts.image_height ASC, posts.id ASC

-- order: landscape
ORDER BY (posts.image_width::double precision / posts.image_height) DESC, posts.id DESC

-- order: portrait
ORDER BY (posts.image_width::double precision / posts.image_height) ASC, posts.id ASC

-- order: duration, duration_desc
JOIN media_files played ON played.id = posts.media_file_id
ORDER BY played.duration DESC NULLS LAST, posts.id DESC

-- order: duration_asc
JOIN media_files played ON played.id = posts.media_file_id
ORDER BY played.duration ASC NULLS LAST, posts.id ASC

-- order: md5, md5_desc
ORDER BY posts.md5 DESC, posts.id DESC

-- order: md5_asc
ORDER BY posts.md5 ASC, posts.id ASC

-- order: tagcount, tagcount_desc
ORDER BY posts.tag_count DESC, posts.id DESC

-- order: tagcount_asc
ORDER BY posts.tag_count ASC, posts.id ASC

-- order: gentags, gentags_desc
ORDER BY posts.tag_count_general DESC, posts.id DESC

-- order: gentags_asc
ORDER BY posts.tag_count_general ASC, posts.id ASC

-- order: arttags, arttags_desc
ORDER BY posts.tag_count_artist DESC, posts.id DESC

-- order: arttags_asc
ORDER BY posts.tag_count_artist ASC, posts.id ASC

-- order: copytags, copytags_desc
ORDER BY posts.tag_count_copyright DESC, posts.id DESC

-- order: copytags_asc
ORDER BY posts.tag_count_copyright ASC, posts.id ASC

-- order: chartags, chartags_desc
ORDER BY posts.tag_count_character DESC, posts.id DESC

-- order: chartags_asc
ORDER BY posts.tag_count_character ASC, posts.id ASC

-- order: metatags, metatags_desc
ORDER BY posts.tag_count_meta DESC, posts.id DESC

-- order: metatags_asc
ORDER BY posts.tag_count_meta ASC, posts.id ASC

-- order: comment_count, comment_count_desc, comments, comments_desc
LEFT JOIN LATERAL ( SELECT counted.number FROM post_counts counted WHERE counted.post_id = posts.id AND
  counted.kind = 'comments' OFFSET 0) counted ON TRUE
ORDER BY coalesce(counted.number, 0) DESC, posts.id DESC

-- order: comment_count_asc, comments_asc
LEFT JOIN LATERAL ( SELECT counted.number FROM post_counts counted WHERE counted.post_id = posts.id AND
  counted.kind = 'comments' OFFSET 0) counted ON TRUE
ORDER BY coalesce(counted.number, 0) ASC, posts.id ASC

-- order: active_comment_count, active_comment_count_desc, active_comments, active_comments_desc
LEFT JOIN LATERAL ( SELECT counted.number FROM post_counts counted WHERE counted.post_id = posts.id AND
  counted.kind = 'active_comments' OFFSET 0) counted ON TRUE
ORDER BY coalesce(counted.number, 0) DESC, posts.id DESC

-- order: active_comment_count_asc, active_comments_asc
LEFT JOIN LATERAL ( SELECT counted.number FROM post_counts counted WHERE counted.post_id = posts.id AND
  counted.kind = 'active_comments' OFFSET 0) counted ON TRUE
ORDER BY coalesce(counted.number, 0) ASC, posts.id ASC

-- order: deleted_comment_count, deleted_comment_count_desc, deleted_comments, deleted_comments_desc
LEFT JOIN LATERAL ( SELECT counted.number FROM post_counts counted WHERE counted.post_id = posts.id AND
  counted.kind = 'deleted_comments' OFFSET 0) counted ON TRUE
ORDER BY coalesce(counted.number, 0) DESC, posts.id DESC

-- order: deleted_comment_count_asc, deleted_comments_asc
LEFT JOIN LATERAL ( SELECT counted.number FROM post_counts counted WHERE counted.post_id = posts.id AND
  counted.kind = 'deleted_comments' OFFSET 0) counted ON TRUE
ORDER BY coalesce(counted.number, 0) ASC, posts.id ASC

-- order: note_count, note_count_desc, notes, notes_desc
LEFT JOIN LATERAL ( SELECT counted.number FROM post_counts counted WHERE counted.post_id = posts.id AND
  counted.kind = 'notes' OFFSET 0) counted ON TRUE
ORDER BY coalesce(counted.number, 0) DESC, posts.id DESC

-- order: note_count_asc, notes_asc
LEFT JOIN LATERAL ( SELECT counted.number FROM post_counts counted WHERE counted.post_id = posts.id AND
  counted.kind = 'notes' OFFSET 0) counted ON TRUE
ORDER BY coalesce(counted.number, 0) ASC, posts.id ASC

-- order: active_note_count, active_note_count_desc, active_notes, active_notes_desc
LEFT JOIN LATERAL ( SELECT counted.number FROM post_counts counted WHERE counted.post_id = posts.id AND
  counted.kind = 'active_notes' OFFSET 0) counted ON TRUE
ORDER BY coalesce(counted.number, 0) DESC, posts.id DESC

-- order: active_note_count_asc, active_notes_asc
LEFT JOIN LATERAL ( SELECT counted.number FROM post_counts counted WHERE counted.post_id = posts.id AND
  counted.kind = 'active_notes' OFFSET 0) counted ON TRUE
ORDER BY coalesce(counted.number, 0) ASC, posts.id ASC

-- order: deleted_note_count, deleted_note_count_desc, deleted_notes, deleted_notes_desc
LEFT JOIN LATERAL ( SELECT counted.number FROM post_counts counted WHERE counted.post_id = posts.id AND
  counted.kind = 'deleted_notes' OFFSET 0) counted ON TRUE
ORDER BY coalesce(counted.number, 0) DESC, posts.id DESC

-- order: deleted_note_count_asc, deleted_notes_asc
LEFT JOIN LATERAL ( SELECT counted.number FROM post_counts counted WHERE counted.post_id = posts.id AND
  counted.kind = 'deleted_notes' OFFSET 0) counted ON TRUE
ORDER BY coalesce(counted.number, 0) ASC, posts.id ASC

-- order: flag_count, flag_count_desc, flags, flags_desc
LEFT JOIN LATERAL ( SELECT counted.number FROM post_counts counted WHERE counted.post_id = posts.id AND
  counted.kind = 'flags' OFFSET 0) counted ON TRUE
ORDER BY coalesce(counted.number, 0) DESC, posts.id DESC

-- order: flag_count_asc, flags_asc
LEFT JOIN LATERAL ( SELECT counted.number FROM post_counts counted WHERE counted.post_id = posts.id AND
  counted.kind = 'flags' OFFSET 0) counted ON TRUE
ORDER BY coalesce(counted.number, 0) ASC, posts.id ASC

-- order: appeal_count, appeal_count_desc, appeals, appeals_desc
LEFT JOIN LATERAL ( SELECT counted.number FROM post_counts counted WHERE counted.post_id = posts.id AND
  counted.kind = 'appeals' OFFSET 0) counted ON TRUE
ORDER BY coalesce(counted.number, 0) DESC, posts.id DESC

-- order: appeal_count_asc, appeals_asc
LEFT JOIN LATERAL ( SELECT counted.number FROM post_counts counted WHERE counted.post_id = posts.id AND
  counted.kind = 'appeals' OFFSET 0) counted ON TRUE
ORDER BY coalesce(counted.number, 0) ASC, posts.id ASC

-- order: approval_count, approval_count_desc, approvals, approvals_desc
LEFT JOIN LATERAL ( SELECT counted.number FROM post_counts counted WHERE counted.post_id = posts.id AND
  counted.kind = 'approvals' OFFSET 0) counted ON TRUE
ORDER BY coalesce(counted.number, 0) DESC, posts.id DESC

-- order: approval_count_asc, approvals_asc
LEFT JOIN LATERAL ( SELECT counted.number FROM post_counts counted WHERE counted.post_id = posts.id AND
  counted.kind = 'approvals' OFFSET 0) counted ON TRUE
ORDER BY coalesce(counted.number, 0) ASC, posts.id ASC

-- order: child_count, child_count_desc, children, children_desc
LEFT JOIN LATERAL ( SELECT counted.number FROM post_counts counted WHERE counted.post_id = posts.id AND
  counted.kind = 'children' OFFSET 0) counted ON TRUE
ORDER BY coalesce(counted.number, 0) DESC, posts.id DESC

-- order: child_count_asc, children_asc
LEFT JOIN LATERAL ( SELECT counted.number FROM post_counts counted WHERE counted.post_id = posts.id AND
  counted.kind = 'children' OFFSET 0) counted ON TRUE
ORDER BY coalesce(counted.number, 0) ASC, posts.id ASC

-- order: active_child_count, active_child_count_desc, active_children, active_children_desc
LEFT JOIN LATERAL ( SELECT counted.number FROM post_counts counted WHERE counted.post_id = posts.id AND
  counted.kind = 'active_children' OFFSET 0) counted ON TRUE
ORDER BY coalesce(counted.number, 0) DESC, posts.id DESC

-- order: active_child_count_asc, active_children_asc
LEFT JOIN LATERAL ( SELECT counted.number FROM post_counts counted WHERE counted.post_id = posts.id AND
  counted.kind = 'active_children' OFFSET 0) counted ON TRUE
ORDER BY coalesce(counted.number, 0) ASC, posts.id ASC

-- order: deleted_child_count, deleted_child_count_desc, deleted_children, deleted_children_desc
LEFT JOIN LATERAL ( SELECT counted.number FROM post_counts counted WHERE counted.post_id = posts.id AND
  counted.kind = 'deleted_children' OFFSET 0) counted ON TRUE
ORDER BY coalesce(counted.number, 0) DESC, posts.id DESC

-- order: deleted_child_count_asc, deleted_children_asc
LEFT JOIN LATERAL ( SELECT counted.number FROM post_counts counted WHERE counted.post_id = posts.id AND
  counted.kind = 'deleted_children' OFFSET 0) counted ON TRUE
ORDER BY coalesce(counted.number, 0) ASC, posts.id ASC

-- order: pool_count, pool_count_desc, pools, pools_desc
LEFT JOIN LATERAL ( SELECT counted.number FROM post_counts counted WHERE counted.post_id = posts.id AND
  counted.kind = 'pools' OFFSET 0) counted ON TRUE
ORDER BY coalesce(counted.number, 0) DESC, posts.id DESC

-- order: pool_count_asc, pools_asc
LEFT JOIN LATERAL ( SELECT counted.number FROM post_counts counted WHERE counted.post_id = posts.id AND
  counted.kind = 'pools' OFFSET 0) counted ON TRUE
ORDER BY coalesce(counted.number, 0) ASC, posts.id ASC

-- order: active_pool_count, active_pool_count_desc, active_pools, active_pools_desc
LEFT JOIN LATERAL ( SELECT counted.number FROM post_counts counted WHERE counted.post_id = posts.id AND
  counted.kind = 'active_pools' OFFSET 0) counted ON TRUE
ORDER BY coalesce(counted.number, 0) DESC, posts.id DESC

-- order: active_pool_count_asc, active_pools_asc
LEFT JOIN LATERAL ( SELECT counted.number FROM post_counts counted WHERE counted.post_id = posts.id AND
  counted.kind = 'active_pools' OFFSET 0) counted ON TRUE
ORDER BY coalesce(counted.number, 0) ASC, posts.id ASC

-- order: deleted_pool_count, deleted_pool_count_desc, deleted_pools, deleted_pools_desc
LEFT JOIN LATERAL ( SELECT counted.number FROM post_counts counted WHERE counted.post_id = posts.id AND
  counted.kind = 'deleted_pools' OFFSET 0) counted ON TRUE
ORDER BY coalesce(counted.number, 0) DESC, posts.id DESC

-- order: deleted_pool_count_asc, deleted_pools_asc
LEFT JOIN LATERAL ( SELECT counted.number FROM post_counts counted WHERE counted.post_id = posts.id AND
  counted.kind = 'deleted_pools' OFFSET 0) counted ON TRUE
ORDER BY coalesce(counted.number, 0) ASC, posts.id ASC

-- order: series_pool_count, series_pool_count_desc, series_pools, series_pools_desc
LEFT JOIN LATERAL ( SELECT counted.number FROM post_counts counted WHERE counted.post_id = posts.id AND
  counted.kind = 'series_pools' OFFSET 0) counted ON TRUE
ORDER BY coalesce(counted.number, 0) DESC, posts.id DESC

-- order: series_pool_count_asc, series_pools_asc
LEFT JOIN LATERAL ( SELECT counted.number FROM post_counts counted WHERE counted.post_id = posts.id AND
  counted.kind = 'series_pools' OFFSET 0) counted ON TRUE
ORDER BY coalesce(counted.number, 0) ASC, posts.id ASC

-- order: collection_pool_count, collection_pool_count_desc, collection_pools, collection_pools_desc
LEFT JOIN LATERAL ( SELECT counted.number FROM post_counts counted WHERE counted.post_id = posts.id AND
  counted.kind = 'collection_pools' OFFSET 0) counted ON TRUE
ORDER BY coalesce(counted.number, 0) DESC, posts.id DESC

-- order: collection_pool_count_asc, collection_pools_asc
LEFT JOIN LATERAL ( SELECT counted.number FROM post_counts counted WHERE counted.post_id = posts.id AND
  counted.kind = 'collection_pools' OFFSET 0) counted ON TRUE
ORDER BY coalesce(counted.number, 0) ASC, posts.id ASC

-- order: comment, comment_desc, comm, comm_desc
ORDER BY posts.last_commented_at DESC NULLS LAST, posts.id DESC

-- order: comment_asc, comm_asc
ORDER BY posts.last_commented_at ASC NULLS LAST, posts.id ASC

-- order: comment_bumped, comment_bumped_desc
ORDER BY posts.last_comment_bumped_at DESC NULLS LAST, posts.id DESC

-- order: comment_bumped_asc
ORDER BY posts.last_comment_bumped_at ASC NULLS FIRST, posts.id ASC

-- order: note, note_desc
ORDER BY posts.last_noted_at DESC NULLS LAST, posts.id DESC

-- order: note_asc
ORDER BY posts.last_noted_at ASC NULLS FIRST, posts.id ASC

-- order: artcomm, artcomm_desc
JOIN artist_commentaries commentary ON commentary.post_id = posts.id
WHERE EXISTS (SELECT 1 FROM artist_commentaries written WHERE written.post_id = posts.id)
ORDER BY commentary.updated_at DESC, posts.id DESC

-- order: artcomm_asc
JOIN artist_commentaries commentary ON commentary.post_id = posts.id
WHERE EXISTS (SELECT 1 FROM artist_commentaries written WHERE written.post_id = posts.id)
ORDER BY commentary.updated_at ASC, posts.id ASC

-- order: modqueue, modqueue_desc
LEFT JOIN LATERAL ( SELECT max(event.created_at) AS latest FROM (SELECT created_at FROM post_flags WHERE
  post_id = posts.id AND NOT is_deletion UNION ALL SELECT created_at FROM post_appeals WHERE post_id =
  posts.id) event) queued ON TRUE
ORDER BY greatest(posts.created_at, queued.latest) DESC, posts.id DESC

-- order: modqueue_asc
LEFT JOIN LATERAL ( SELECT max(event.created_at) AS latest FROM (SELECT created_at FROM post_flags WHERE
  post_id = posts.id AND NOT is_deletion UNION ALL SELECT created_at FROM post_appeals WHERE post_id =
  posts.id) event) queued ON TRUE
ORDER BY greatest(posts.created_at, queued.latest) ASC, posts.id ASC

-- order: rank
WHERE (posts.score > 0 AND posts.created_at > $1::timestamptz AND (ln(greatest(posts.score, 1)::float8) /
  ln(3::float8) + extract(epoch FROM posts.created_at - '2005-05-24 00:00:00+00'::timestamptz)::float8 /
  35000) >= (ln(greatest(1, 1)::float8) / ln(3::float8) + extract(epoch FROM $2::timestamptz - '2005-05-24
  00:00:00+00'::timestamptz)::float8 / 35000))
-- $1 = "2026-03-29T12:00:00.000Z"
-- $2 = "2026-03-29T12:00:00.000Z"
ORDER BY (ln(greatest(posts.score, 1)::float8) / ln(3::float8) + extract(epoch FROM posts.created_at -
  '2005-05-24 00:00:00+00'::timestamptz)::float8 / 35000) DESC, posts.id DESC

-- order: random
ORDER BY random() ASC

-- order: custom
ORDER BY posts.id DESC
