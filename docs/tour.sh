#!/usr/bin/env bash
# A tour of the board with curl: two accounts, an upload by each, search, edit, revert, files; as JSON, as XML and by GraphQL.
# Needs a running board and its command line; stops at the first unexpected response. The two accounts stay, with
# random passwords that nobody keeps.
#
#   docs/tour.sh [URL]        URL of the board, http://127.0.0.1:3000 by default
#
# The pictures are the JPEGs beside this script, made unique by a few bytes at their end, so that the tour can be repeated.
set -euo pipefail
cd "$(dirname "$0")/.."

url="${1:-http://127.0.0.1:3000}"
board() { npm run -s board -- "$@"; }

# field NAME: the value of a field of the JSON object, or of the first object of the JSON array, on standard input
field() { node -e 'const j = JSON.parse(require("fs").readFileSync(0)); const r = Array.isArray(j) ? j[0] : j; console.log(r?.[process.argv[1]] ?? "")' "$1"; }
expect() { # expect WHAT ACTUAL WANTED
  if [ "$2" = "$3" ]; then echo "ok   $1: $2"; else echo "FAIL $1: got '$2', wanted '$3'"; exit 1; fi
}

suffix="$(date +%s)$RANDOM"
password() { node -p 'crypto.randomBytes(24).toString("hex")'; }
pictures="$(mktemp -d)"
trap 'rm -r "$pictures"' EXIT
unique() { cat "docs/pictures/$1.jpg" <(printf '%s' "$suffix $2") >"$pictures/$2.jpg"; echo "$pictures/$2.jpg"; }
picture1="$(unique harbour one)"
picture2="$(unique hills two)"
picture3="$(unique harbour three)"

# -- accounts: any level by the command line -----------------------------------------------------------------------------
member="$(board user create "mira$suffix" "$(password)" member)"
contributor="$(board user create "cora$suffix" "$(password)" contributor)"
mira="mira$suffix:$(field api_key <<<"$member")"
cora="cora$suffix:$(field api_key <<<"$contributor")"
expect "the member's level" "$(field level <<<"$member")" 20
expect "the contributor's level" "$(field level <<<"$contributor")" 33

# -- uploads: a member's waits for approval, a contributor's is active ----------------------------------------------------
first="$(curl -sS "$url/uploads.json" -u "$mira" -F "upload[file]=@$picture1" -F "upload[rating]=safe" \
  -F "upload[tag_string]=harbour$suffix boat artist:painter$suffix")"
expect "first upload" "$(field success <<<"$first") $(field status <<<"$first")" "true completed"
second="$(curl -sS -i "$url/uploads.xml" -u "$cora" -F "upload[file]=@$picture2" -F "upload[rating]=q" \
  -F "upload[tag_string]=hills$suffix boat")"
expect "second upload, as XML" "$(tail -n 1 <<<"$second")" \
  '<?xml version="1.0" encoding="UTF-8"?><response success="true" reason=""/>'
post1="$(field post_id <<<"$first")"
post2="$(curl -sS -G "$url/posts.json" --data-urlencode "tags=hills$suffix" | field id)"
expect "the member's post is pending" "$(curl -sS "$url/posts/$post1.json" | field is_pending)" true
expect "the contributor's post is not" "$(curl -sS "$url/posts/$post2.json" | field is_pending)" false

# -- listing and searching ------------------------------------------------------------------------------------------------
expect "newest post first" "$(curl -sS "$url/posts.json?limit=1" | field id)" "$post2"
expect "search by tag" "$(curl -sS -G "$url/posts.json" --data-urlencode "tags=harbour$suffix rating:s" | field id)" "$post1"
expect "search by tag, as XML" \
  "$(curl -sS -G "$url/posts.xml" --data-urlencode "tags=harbour$suffix" | grep -o '<post><id type="integer">[0-9]*</id>')" \
  "<post><id type=\"integer\">$post1</id>"

# -- editing, and going back ----------------------------------------------------------------------------------------------
edited="$(curl -sS -X PUT "$url/posts/$post1.json" -u "$mira" -d "post[tag_string]=harbour$suffix ship" -d "post[rating]=e")"
expect "new rating" "$(field rating <<<"$edited")" e
expect "new tags" "$(field tag_string_general <<<"$edited" | tr ' ' '\n' | grep -c ship)" 1
version1="$(curl -sS -g "$url/post_versions.json?search[post_id]=$post1" |
  node -e 'console.log(JSON.parse(require("fs").readFileSync(0)).find((v) => v.version === 1).id)')"
expect "revert, as XML" "$(curl -sS -X PUT "$url/posts/$post1/revert.xml" -u "$mira" -d "version_id=$version1")" \
  '<?xml version="1.0" encoding="UTF-8"?><response success="true" reason=""/>'
expect "the rating is back" "$(curl -sS "$url/posts/$post1.json" | field rating)" s
expect "the artist is back" "$(curl -sS "$url/posts/$post1.json" | field tag_string_artist)" "painter$suffix"

# -- the files ------------------------------------------------------------------------------------------------------------
preview="$(curl -sS "$url/posts/$post1.json" | field preview_file_url)"
expect "the preview" "$(curl -sS -o /dev/null -w '%{http_code} %{content_type}' "$preview")" "200 image/jpeg"
file="$(curl -sS "$url/posts/$post1.json" | field file_url)"
expect "the file, byte for byte" "$(curl -sS "$file" | md5sum | cut -c1-32)" "$(md5sum <"$picture1" | cut -c1-32)"

# -- the same by GraphQL --------------------------------------------------------------------------------------------------
graphql() { curl -sS "$url/graphql" -u "$mira" -H 'Content-Type: application/json' -d "$1"; }
response="$(graphql "{\"query\":\"{ posts(tags: \\\"harbour$suffix\\\") { nodes { id rating uploader { name } } } }\"}")"
expect "search by GraphQL" "$(grep -o '"nodes":.*]' <<<"$response")" \
  "\"nodes\":[{\"id\":$post1,\"rating\":\"SAFE\",\"uploader\":{\"name\":\"mira$suffix\"}}]"
create="mutation(\$input: CreateUploadInput!) { createUpload(input: \$input) { upload { status post { isPending } } } }"
input="{\"file\":null,\"rating\":\"SAFE\",\"tagString\":\"harbour$suffix dawn\"}"
response="$(curl -sS "$url/graphql" -u "$cora" -H "Apollo-Require-Preflight: true" \
  -F "operations={\"query\":\"$create\",\"variables\":{\"input\":$input}}" \
  -F 'map={"file":["variables.input.file"]}' -F "file=@$picture3")"
expect "upload by GraphQL" "$(grep -o '"status":.*false' <<<"$response")" '"status":"completed","post":{"isPending":false'
edit="mutation(\$input: UpdatePostInput!) { updatePost(input: \$input) { post { rating tagCount } } }"
response="$(graphql "{\"query\":\"$edit\",\"variables\":{\"input\":{\"id\":$post1,\"rating\":\"EXPLICIT\"}}}")"
expect "edit by GraphQL" "$(grep -o '"rating":"[A-Z]*"' <<<"$response")" '"rating":"EXPLICIT"'
back="mutation(\$input: RevertPostInput!) { revertPost(input: \$input) { post { rating } } }"
response="$(graphql "{\"query\":\"$back\",\"variables\":{\"input\":{\"id\":$post1,\"versionId\":$version1}}}")"
expect "revert by GraphQL" "$(grep -o '"rating":"[A-Z]*"' <<<"$response")" '"rating":"SAFE"'

echo "The tour is over: $url/posts/$post1.json and $url/posts/$post2.json"
