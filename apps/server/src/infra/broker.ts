import { createServer, type Server, type Socket } from "node:net";
import { Aedes, type AuthenticateError, type Client } from "aedes";
import { FailedLogins } from "./failed-logins.ts";
import type { Logger } from "./logger.ts";
import { PacketMeter } from "./packet-meter.ts";

/** Who is connected, as `authenticate` found out. */
export interface BrokerSession {
  /** takes the place of the client's own id: a second connection with the same one ends the first */
  clientId: string;
  mostPacketBytes: number;
}

export interface BrokerRules<S extends BrokerSession> {
  /** null: unknown, or a wrong password. @throws Error when it can't be told now */
  authenticate(user: string, password: string, clientId: string): Promise<S | null>;
  mayPublish(session: S, topic: string): boolean;
  maySubscribe(session: S, topic: string): boolean;
}

export interface BrokerOptions<S extends BrokerSession> {
  host: string;
  /** 0: any free one */
  port: number;
  /** what the port is set by, for the error that says so */
  portSetting: string;
  mostClients: number;
  rules: BrokerRules<S>;
  log: Logger;
}

export interface Broker<S extends BrokerSession = BrokerSession> {
  port: number;
  /** Ends the connections whose right to be there is gone. */
  end(gone: (session: S) => boolean): void;
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 10_000;
/** A client must promise to speak at least this often; it is cut off at one and a half times what it promised. */
const LONGEST_KEEPALIVE_SECONDS = 300;
const BEFORE_LOGIN_BYTES = 16 * 1024;
const BAD_USER_OR_PASSWORD = 4;
const SERVER_UNAVAILABLE = 3;

function refusal(returnCode: 3 | 4): AuthenticateError {
  return Object.assign(new Error("connection refused"), { returnCode });
}

/**
 * An MQTT 3.1.1 broker in this process, on plain TCP. Retained messages and sessions live in memory and end with it.
 * @throws Error in words for the person who starts it, when the port is taken or not allowed
 */
export async function startBroker<S extends BrokerSession>(options: BrokerOptions<S>): Promise<Broker<S>> {
  const { rules, log } = options;
  const sessions = new WeakMap<Client, S>();
  const connected = new Set<Client>();
  const meters = new WeakMap<object, PacketMeter>();
  const failed = new FailedLogins();
  const allowed = (client: Client | null, may: (session: S) => boolean): boolean => {
    const session = client && sessions.get(client);
    return session ? may(session) : false;
  };

  const aedes = await Aedes.createBroker({
    connectTimeout: CONNECT_TIMEOUT_MS,
    keepaliveLimit: LONGEST_KEEPALIVE_SECONDS,
    authenticate(client, user, password, done) {
      const answer = (session: S | null): void => {
        if (!session) {
          done(refusal(BAD_USER_OR_PASSWORD), null);
          return;
        }
        sessions.set(client, session);
        client.id = session.clientId;
        const meter = meters.get(client.conn);
        if (meter) meter.mostBytes = session.mostPacketBytes;
        done(null, true);
      };
      rules.authenticate(user ?? "", password?.toString("utf8") ?? "", client.id).then(
        (session) => {
          const wait = session ? 0 : failed.delayMs(addressOf(client.conn), performance.now());
          if (wait === 0) answer(session);
          else setTimeout(answer, wait, session).unref();
        },
        (error: unknown) => {
          log.warn({ err: error }, "a login at the broker could not be checked");
          done(refusal(SERVER_UNAVAILABLE), null);
        },
      );
    },
    authorizePublish(client, { topic }, done) {
      const ok = allowed(client, (session) => rules.mayPublish(session, topic));
      done(ok ? null : new Error("not allowed to publish there"));
    },
    authorizeSubscribe(client, subscription, done) {
      done(null, allowed(client, (session) => rules.maySubscribe(session, subscription.topic)) ? subscription : null);
    },
  });
  // What a client does wrong ends its connection; the client's id says whose it was once it was known.
  aedes.on("clientError", ({ id }, error) =>
    log.debug({ clientId: id, reason: error.message }, "broker: client error"),
  );
  aedes.on("connectionError", (_client, error) => log.debug({ reason: error.message }, "broker: connection error"));

  aedes.on("client", (client) => connected.add(client));
  aedes.on("clientDisconnect", (client) => connected.delete(client));

  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    socket.setNoDelay(true);
    meters.set(socket, limitPackets(socket));
    aedes.handle(socket);
  });
  server.maxConnections = options.mostClients;
  try {
    await listen(server, options);
  } catch (error) {
    aedes.close();
    throw error;
  }
  const bound = server.address();
  return {
    port: bound !== null && typeof bound === "object" ? bound.port : options.port,
    end(gone) {
      for (const client of connected) if (allowed(client, gone)) client.close();
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      await new Promise<void>((resolve) => aedes.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function addressOf(connection: Client["conn"]): string {
  return "remoteAddress" in connection ? (connection.remoteAddress ?? "") : "";
}

/** Every byte that arrives passes `push` before the broker's parser sees it. */
function limitPackets(socket: Socket): PacketMeter {
  const meter = new PacketMeter(BEFORE_LOGIN_BYTES);
  const push = socket.push.bind(socket);
  socket.push = (chunk: unknown, encoding?: BufferEncoding) => {
    if (chunk instanceof Uint8Array && !meter.accepts(chunk)) {
      socket.destroy();
      return false;
    }
    return push(chunk, encoding);
  };
  return meter;
}

async function listen(server: Server, { host, port, portSetting }: BrokerOptions<BrokerSession>): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen({ host, port }, resolve);
    });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    if (code !== "EADDRINUSE" && code !== "EACCES") throw error;
    throw new Error(
      `Port ${port} for the locks is ${code === "EACCES" ? "not allowed" : "taken"}. Set another ${portSetting}.`,
    );
  }
}
