#!/usr/bin/env python3
"""Logs in, lists the rooms and reads one: a client of the compatibility layer with Python's standard library.

    INNKEY_URL=https://hotel.example LEGACY_CIPHER=aes-256-cbc LEGACY_KEY=<hex> LEGACY_IV=<hex> \\
    INNKEY_ACCOUNT=13800000001 INNKEY_PASSWORD=... python3 client.py

The standard library has no AES and no DES: `openssl enc` does that part. The rooms' names come out one a line; what is
said about the first of them goes to the error output.
"""

import json
import os
import subprocess
import sys
import urllib.error
import urllib.request


def setting(name):
    value = os.environ.get(name)
    if not value:
        sys.exit(f"{name} is not set")
    return value


URL = setting("INNKEY_URL")
CIPHER = setting("LEGACY_CIPHER")
KEY = setting("LEGACY_KEY")
IV = setting("LEGACY_IV")

# OpenSSL has no single DES any more; triple DES with one key three times is the same.
if CIPHER == "des-cbc":
    ENC = ["openssl", "enc", "-des-ede3-cbc", "-K", KEY * 3, "-iv", IV, "-base64", "-A"]
else:
    ENC = ["openssl", "enc", f"-{CIPHER}", "-K", KEY, "-iv", IV, "-base64", "-A"]


def seal(value):
    text = json.dumps(value).encode()
    return subprocess.run(ENC, input=text, stdout=subprocess.PIPE, check=True).stdout.decode()


def unseal(data):
    text = subprocess.run([*ENC, "-d"], input=data.encode(), stdout=subprocess.PIPE, check=True).stdout
    return json.loads(text)


token = None


def call(path, **payload):
    body = json.dumps({"data": seal({**payload, "action": "manage"}), "language": "en"}).encode()
    headers = {"Content-Type": "application/json", "language": "en"}
    if token:
        headers["X-Token"] = token
    request = urllib.request.Request(f"{URL}/manage/{path}", data=body, headers=headers, method="POST")
    try:
        with urllib.request.urlopen(request, timeout=40) as response:
            answer = unseal(json.load(response)["data"])
    except urllib.error.HTTPError as error:
        sys.exit(f"{path}: HTTP {error.code} {error.read().decode()}")
    if answer["errno"] != 0:
        sys.exit(f"{path}: {answer['errno']} {answer['errmsg']}")
    return answer["data"]


def all_rooms():
    rooms, page = [], 1
    while True:
        answer = call("room/listNew", page=page, page_size=200)
        rooms += answer["list"]
        if not answer["list"] or len(rooms) >= answer["total"]:
            return rooms
        page += 1


sys.stdout.reconfigure(encoding="utf-8")
token = call("login", mobile=setting("INNKEY_ACCOUNT"), password=setting("INNKEY_PASSWORD"))["token"]
rooms = all_rooms()
for room in rooms:
    print(room["name"])
if rooms:
    first = call("room/lockInfo", room_id=rooms[0]["room_id"])["room"]
    print(f"{first['name']}: {first['status']}", file=sys.stderr)
call("logout")
