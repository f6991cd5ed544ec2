import { z } from "zod";
import { fileUrl } from "../../../domain/files/files.service.ts";
import { MAX_UPLOAD_BYTES, UPLOAD_TYPES } from "../../../domain/files/uploads/uploads.service.ts";
import { call, type Endpoint } from "../endpoint.ts";
import * as f from "../fields.ts";
import { pictureUrl } from "../pictures.ts";
import { destinationOf } from "../uploads.routes.ts";

const { out } = f;
const textMap = (example: Readonly<Record<string, string>>) =>
  z.record(z.string(), z.string()).register(f.fieldNotes, { type: "object of texts", example });

/** Calls to upload pictures before another call uses them. */
export const filesCalls: readonly Endpoint[] = [
  call("oss/token", {
    summary:
      "Where to send a picture: one request by method, url and headers, whose body is the picture (with fields, a form that has them all before its file), within 15 minutes. A later call takes it by its key, once, within a day.",
    input: {
      type: f.choice(["face", "room", "avatar"]),
      content_type: f.choice(UPLOAD_TYPES),
      size: f.int(1, MAX_UPLOAD_BYTES, 245_120),
    },
    output: z.strictObject({
      method: out.choice(["PUT"]),
      url: out.text(
        "https://hotel.example/manage/uploads/1/17/3f0c…?type=image%2Fjpeg&size=245120&expires=1772446500&…",
      ),
      headers: textMap({ "content-type": "image/jpeg" }),
      fields: textMap({}),
      key: out.text("uploads/1/17/3f0c7a52-6d3b-4a53-9d3a-0a6f2f6d6d2b"),
      public_url: out.text("https://hotel.example/manage/files/1/3f0c7a52-…?expires=1772532000&signature=…"),
      expire: out.time(1_772_446_500),
    }),
    async run(caller, { type: kind, content_type: contentType, size }) {
      const ticket = await caller.services.uploads.ticket(caller.scope, { kind, contentType, size });
      const { url, headers } = destinationOf(ticket, caller.origin);
      return {
        method: "PUT" as const,
        url,
        headers: { ...headers },
        fields: {},
        key: ticket.key,
        // Faces get no public link, because access to them is checked on each view. The others are reachable here once
        // they are stored.
        public_url: kind === "face" ? "" : pictureUrl(caller, fileUrl(ticket.id)),
        expire: f.seconds(ticket.expiresAt),
      };
    },
  }),
];
