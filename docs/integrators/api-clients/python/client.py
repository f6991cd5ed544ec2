#!/usr/bin/env python3
"""Books a free room for tonight, checks the party in, gives it a door code, and waits until the door was opened with it.

    INNKEY_URL=https://hotel.example INNKEY_KEY=ik_... python3 client.py
"""

import datetime
import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

NAME = "Ada Lovelace"
ASK_EVERY_SECONDS = 0.5
WAIT_SECONDS = 60


def setting(name):
    value = os.environ.get(name)
    if not value:
        sys.exit(f"{name} is not set")
    return value


URL = setting("INNKEY_URL") + "/api/v1"
KEY = setting("INNKEY_KEY")
NOW = datetime.datetime.now(datetime.timezone.utc)
STARTS_AT = NOW.isoformat()
ENDS_AT = (NOW + datetime.timedelta(days=1)).isoformat()


def send(request):
    request.add_header("Authorization", f"Bearer {KEY}")
    try:
        with urllib.request.urlopen(request, timeout=40) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        sys.exit(f"{request.full_url}: HTTP {error.code} {error.read().decode()}")


def read(path, **query):
    return send(urllib.request.Request(f"{URL}{path}?{urllib.parse.urlencode(query)}"))


def change(path, body):
    request = urllib.request.Request(f"{URL}{path}", data=json.dumps(body).encode(), method="POST")
    request.add_header("Content-Type", "application/json")
    # Who repeats a request with its name after a broken connection gets the first answer, and nothing is done twice.
    request.add_header("Idempotency-Key", f"{path} {os.getpid()} {STARTS_AT}")
    return send(request)


def wait_for(what, ask):
    until = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < until:
        answer = ask()
        if answer:
            return answer
        time.sleep(ASK_EVERY_SECONDS)
    sys.exit(f"{what}: nothing within a minute")


sys.stdout.reconfigure(encoding="utf-8", line_buffering=True)

groups = read("/availability", unit="day", startsAt=STARTS_AT, endsAt=ENDS_AT, arrives="true")["groups"]
rooms = [room for group in groups for room in group["rooms"]]
if not rooms:
    sys.exit("no room is free tonight")
room = rooms[0]
print(f"room {room['name']}")

booking = {"roomId": room["roomId"], "unit": "day", "startsAt": STARTS_AT, "endsAt": ENDS_AT, "guests": [{"name": NAME}]}
stay = change("/stays", booking)["stayId"]
change(f"/stays/{stay}/check-in", {})
print(f"stay {stay}")

order = {"type": "air", "roomIds": [room["roomId"]], "stayId": stay, "person": NAME}
code = change("/door-codes", order)["code"]
wait_for("the lock", lambda: read("/door-codes", stayId=stay)["rows"][0]["standing"] == "active")
print(f"code {code}")

records = f"/rooms/{room['roomId']}/door-records"
opening = wait_for("the guest", lambda: read(records, **{"from": STARTS_AT, "success": "true"})["records"])[0]
print(f"opened by {opening['guestName']}")
