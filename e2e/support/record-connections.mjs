// Loaded before the server (`node --import`): records each host that the server tries to reach, one "host:port" or
// "lookup name" per line, whether or not it answers.

import dgram from "node:dgram";
import dns from "node:dns";
import { appendFileSync } from "node:fs";
import { Socket } from "node:net";

const note = (line) => appendFileSync(process.env.CONNECTIONS_FILE, `${line}\n`);

const connect = Socket.prototype.connect;
Socket.prototype.connect = function (...args) {
  const [first, second] = Array.isArray(args[0]) ? args[0] : args;
  const { host, port, path } = typeof first === "object" ? first : { host: second, port: first };
  note(path ? `path:${path}` : `${typeof host === "string" ? host : "localhost"}:${port}`);
  return connect.apply(this, args);
};

for (const [holder, name] of [dns, dns.promises].flatMap((of) =>
  ["lookup", "resolve", "resolve4", "resolve6"].map((name) => [of, name]),
)) {
  const ask = holder[name];
  holder[name] = function (hostname, ...rest) {
    note(`lookup ${hostname}`);
    return ask.call(this, hostname, ...rest);
  };
}

const send = dgram.Socket.prototype.send;
dgram.Socket.prototype.send = function (...args) {
  note(`datagram ${args.filter((part) => typeof part === "string" || typeof part === "number").join(":")}`);
  return send.apply(this, args);
};
