#!/bin/sh
# Books a free room for tonight, checks the party in, gives it a door code, and waits until the door was opened with it.
#   INNKEY_URL=https://hotel.example INNKEY_KEY=ik_… sh client.sh
set -eu
: "${INNKEY_URL:?}" "${INNKEY_KEY:?}"
name='Ada Lovelace'
starts_at=$(date -u +%Y-%m-%dT%H:%M:%SZ)
ends_at=$(date -u -d '+1 day' +%Y-%m-%dT%H:%M:%SZ 2>/dev/null || date -u -v+1d +%Y-%m-%dT%H:%M:%SZ)

# The first value of a field of an answer: a text, or a number.
text() { grep -oE "\"$1\":\"[^\"]*\"" | sed -n '1s/^"[^"]*":"//;1s/"$//p'; }
number() { grep -oE "\"$1\":[0-9]+" | sed -n '1s/^.*://p'; }

# send path curl-arguments… → the answer's JSON
send() {
  path=$1
  shift
  answer=$(curl -sS --max-time 40 -w '\n%{http_code}' -H "Authorization: Bearer $INNKEY_KEY" "$@" "$INNKEY_URL/api/v1$path")
  case $answer in
    *200) printf '%s\n' "${answer%???}" ;;
    *) echo "$path: $answer" >&2; exit 1 ;;
  esac
}

read_from() { send "$@" -G; }

# Who repeats a request with its name after a broken connection gets the first answer, and nothing is done twice.
change() { send "$1" -H 'Content-Type: application/json' -H "Idempotency-Key: $1 $$ $starts_at" -d "$2"; }

# wait_for what command… : runs the command until it succeeds
wait_for() {
  what=$1
  shift
  tries=0
  until "$@"; do
    tries=$((tries + 1))
    [ "$tries" -lt 120 ] || { echo "$what: nothing within a minute" >&2; exit 1; }
    sleep 0.5
  done
}

free=$(read_from /availability -d unit=day -d "startsAt=$starts_at" -d "endsAt=$ends_at" -d arrives=true)
rooms=$(printf '%s' "$free" | sed 's/^.*"rooms":\[//')
room=$(printf '%s' "$rooms" | number roomId)
[ -n "$room" ] || { echo 'no room is free tonight' >&2; exit 1; }
echo "room $(printf '%s' "$rooms" | text name)"

answer=$(change /stays "{\"roomId\":$room,\"unit\":\"day\",\"startsAt\":\"$starts_at\",\"endsAt\":\"$ends_at\",\"guests\":[{\"name\":\"$name\"}]}")
stay=$(printf '%s' "$answer" | number stayId)
change "/stays/$stay/check-in" '{}' >/dev/null
echo "stay $stay"

answer=$(change /door-codes "{\"type\":\"air\",\"roomIds\":[$room],\"stayId\":$stay,\"person\":\"$name\"}")
code=$(printf '%s' "$answer" | text code)
has_code() { [ "$(read_from /door-codes -d "stayId=$stay" | text standing)" = active ]; }
wait_for 'the lock' has_code
echo "code $code"

has_opened() {
  records=$(read_from "/rooms/$room/door-records" -d "from=$starts_at" -d success=true)
  printf '%s' "$records" | grep -q '"id"'
}
wait_for 'the guest' has_opened
echo "opened by $(printf '%s' "$records" | text guestName)"
