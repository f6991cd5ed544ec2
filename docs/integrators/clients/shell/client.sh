#!/bin/sh
# Logs in, lists the rooms and reads one: a client of the compatibility layer with curl, openssl, sed and grep.
#   INNKEY_URL=https://hotel.example LEGACY_CIPHER=aes-256-cbc LEGACY_KEY=<hex> LEGACY_IV=<hex> \
#   INNKEY_ACCOUNT=13800000001 INNKEY_PASSWORD=… sh client.sh
# The rooms' names come out one a line; what is said about the first of them goes to the error output.
set -eu
: "${INNKEY_URL:?}" "${LEGACY_CIPHER:?}" "${LEGACY_KEY:?}" "${LEGACY_IV:?}" "${INNKEY_ACCOUNT:?}" "${INNKEY_PASSWORD:?}"

# OpenSSL has no single DES any more; triple DES with one key three times is the same.
case $LEGACY_CIPHER in
  des-cbc) cipher=des-ede3-cbc key=$LEGACY_KEY$LEGACY_KEY$LEGACY_KEY ;;
  *) cipher=$LEGACY_CIPHER key=$LEGACY_KEY ;;
esac

crypt() { openssl enc "-$cipher" -K "$key" -iv "$LEGACY_IV" -base64 -A "$@"; }

# The text of a JSON string, and a text as one.
unquote() { sed 's/\\\(["\\/]\)/\1/g'; }
quote() { printf '%s' "$1" | sed 's/["\\]/\\&/g; 1s/^/"/; $s/$/"/'; }

# Every value of a field of an answer, one a line: those that are text, and those that are numbers.
texts() { grep -oE "\"$1\":\"([^\"\\\\]|\\\\.)*\"" | sed 's/^"[^"]*":"//; s/"$//' | unquote; }
numbers() { grep -oE "\"$1\":[0-9]+" | sed 's/^.*://'; }

token=

# call path '"field":value,' → the answer's JSON
call() {
  sealed=$(printf '{%s"action":"manage"}' "$2" | crypt)
  body=$(printf '%s' "$sealed" | curl -sS --max-time 40 --data-urlencode data@- -H 'language: en' \
    -H "X-Token: $token" "$INNKEY_URL/manage/$1")
  answer=$(printf '%s' "$body" | sed -n 's/.*"data":"\([^"]*\)".*/\1/p')
  [ -n "$answer" ] || { echo "$1: $body" >&2; exit 1; }
  answer=$(printf '%s' "$answer" | crypt -d)
  case $answer in
    '{"errno":0,'*) printf '%s\n' "$answer" ;;
    *) printf '%s\n' "$1: $answer" >&2; exit 1 ;;
  esac
}

answer=$(call login "\"mobile\":$(quote "$INNKEY_ACCOUNT"),\"password\":$(quote "$INNKEY_PASSWORD"),")
token=$(printf '%s' "$answer" | texts token)

page=1 seen=0 first=
while :; do
  answer=$(call room/listNew "\"page\":$page,\"page_size\":200,")
  count=$(printf '%s' "$answer" | numbers room_id | wc -l)
  [ "$count" -gt 0 ] || break
  printf '%s' "$answer" | texts name
  [ -n "$first" ] || first=$(printf '%s' "$answer" | numbers room_id | sed -n 1p)
  seen=$((seen + count)) page=$((page + 1))
  [ "$seen" -lt "$(printf '%s' "$answer" | numbers total)" ] || break
done

if [ -n "$first" ]; then
  answer=$(call room/lockInfo "\"room_id\":$first,")
  room=$(printf '%s' "$answer" | sed 's/"lock":.*//')
  echo "$(printf '%s' "$room" | texts name): $(printf '%s' "$room" | texts status)" >&2
fi
call logout '' >/dev/null
