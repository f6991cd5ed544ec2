import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type Server as TlsServer } from "node:tls";
import { Aedes, type AuthenticateError, type Client } from "aedes";
import "./number-cache.ts";
import type { Logger } from "../telemetry/logger.ts";
import {
  FailedLogins,
  PacketMeter,
  RetainedTopics,
  type RetainingSession,
  type StrangerLimits,
  StrangerSockets,
} from "./broker-limits.ts";

/** An authenticated client, as returned by `authenticate`. */
export interface BrokerSession extends RetainingSession {
  /** replaces the client's own id; a second connection with the same one ends the first */
  clientId: string;
  /** limit of the account's simultaneous connections; a further one ends the oldest */
  maxConnections: number;
  maxPacketBytes: number;
}

export interface BrokerRules<S extends BrokerSession> {
  /**
   * Returns null for an unknown user or a wrong password.
   * @throws Error if the check is impossible at the moment
   */
  authenticate(user: string, password: string, clientId: string): Promise<S | null>;
  mayPublish(session: S, topic: string): boolean;
  maySubscribe(session: S, topic: string): boolean;
}

export interface BrokerOptions<S extends BrokerSession> {
  host: string;
  /** 0: any free port */
  port: number;
  /** name of the setting for the port, for error messages */
  portSetting: string;
  /** listens for TLS as well, if that port is available */
  tls?: BrokerKey & { port: number; portSetting: string };
  /** limit of logged-in clients; clients that have not logged in have separate limits */
  maxClients: number;
  strangers?: StrangerLimits;
  rules: BrokerRules<S>;
  /** called when a session has subscribed to a topic and will receive its messages */
  onSubscribe?: (session: S, topic: string) => void;
  log: Logger;
}

/** In PEM. */
export interface BrokerKey {
  certificate: string;
  key: string;
}

export interface Broker<S extends BrokerSession = BrokerSession> {
  port: number;
  /** null: the broker does not accept encrypted connections */
  tlsPort: number | null;
  /** Uses this certificate for all new connections. */
  replaceCertificate(key: BrokerKey): void;
  /**
   * Ends the connections of the sessions for which `isOver` returns true, and deletes their accounts' retained messages.
   */
  end(isOver: (session: S) => boolean): void;
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 5_000;
/** Enough for all locks of a large hotel that reconnect at the same moment. */
const STRANGER_LIMITS: StrangerLimits = { all: 2_000, perNetwork: 1_000 };
/**
 * Longest keepalive that a client may request; it is disconnected after one and a half times its keepalive without a
 * packet.
 */
const MAX_KEEPALIVE_SECONDS = 300;
const MAX_BYTES_BEFORE_LOGIN = 16 * 1024;
/** per connection: more than any gateway of a large hotel needs */
const MAX_SUBSCRIPTIONS = 20_000;
const BAD_USER_OR_PASSWORD = 4;
const SERVER_UNAVAILABLE = 3;

function refusal(returnCode: 3 | 4): AuthenticateError {
  return Object.assign(new Error("connection refused"), { returnCode });
}

/**
 * Starts an MQTT 3.1.1 broker in this process, on plain TCP and, given a certificate, also on TLS. Retained messages
 * are in memory only. A session ends with its connection, whatever the client requests, so that nothing is stored for
 * clients that may never return.
 * @throws Error with a message for the operator if the port is taken or not permitted; without the TLS port the broker
 * still starts
 */
export async function startBroker<S extends BrokerSession>(options: BrokerOptions<S>): Promise<Broker<S>> {
  const { rules, log } = options;
  const sessions = new WeakMap<Client, S>();
  const connected = new Set<Client>();
  const strangers = new StrangerSockets(options.strangers ?? STRANGER_LIMITS);
  const meters = new WeakMap<object, PacketMeter>();
  const failedLogins = new FailedLogins();
  const retained = new RetainedTopics<S>();
  const connections = new Map<string, Set<Client>>();
  const subscribed = new WeakMap<Client, Set<string>>();
  const ended = new WeakSet<Client>();
  const isAllowed = (client: Client | null, may: (session: S) => boolean): boolean => {
    const session = client && sessions.get(client);
    return session ? may(session) : false;
  };

  const aedes = await Aedes.createBroker({
    connectTimeout: CONNECT_TIMEOUT_MS,
    keepaliveLimit: MAX_KEEPALIVE_SECONDS,
    preConnect(_client, packet, done) {
      packet.clean = true;
      done(null, true);
    },
    authenticate(client, user, password, done) {
      const answer = (session: S | null): void => {
        if (!session) {
          done(refusal(BAD_USER_OR_PASSWORD), null);
          return;
        }
        strangers.remove(tcpSocketOf(client.conn));
        if (sockets.size - strangers.count > options.maxClients) {
          log.warn({ maxClients: options.maxClients }, "the broker refuses a client: the limit is reached");
          done(refusal(SERVER_UNAVAILABLE), null);
          return;
        }
        sessions.set(client, session);
        client.id = session.clientId;
        const meter = meters.get(client.conn);
        if (meter) meter.maxBytes = session.maxPacketBytes;
        done(null, true);
      };
      rules.authenticate(user ?? "", password?.toString("utf8") ?? "", client.id).then(
        (session) => {
          const wait = session ? 0 : failedLogins.delayMs(addressOf(client.conn), performance.now());
          if (wait === 0) answer(session);
          else setTimeout(answer, wait, session).unref();
        },
        (error: unknown) => {
          log.warn({ err: error }, "a login at the broker could not be checked");
          done(refusal(SERVER_UNAVAILABLE), null);
        },
      );
    },
    // Also called for a last will when it is due.
    authorizePublish(client, packet, done) {
      const session = client && sessions.get(client);
      if (!session || !rules.mayPublish(session, packet.topic)) {
        done(new Error("not allowed to publish there"));
        return;
      }
      if (packet.retain) packet.retain = !ended.has(client) && mayRetain(session, packet);
      done(null);
    },
    authorizeSubscribe(client, subscription, done) {
      const may = isAllowed(client, (session) => rules.maySubscribe(session, subscription.topic));
      done(null, may && hasRoomFor(client, subscription.topic) ? subscription : null);
    },
  });
  const { persistence } = aedes as unknown as { persistence: Persistence };
  const storeIncoming = persistence.incomingStorePacket.bind(persistence);
  persistence.incomingStorePacket = (client, packet) =>
    storeIncoming(client, { ...packet, topic: "", payload: Buffer.alloc(0) });
  function hasRoomFor(client: Client, topic: string): boolean {
    const topics = subscribed.get(client) ?? new Set();
    subscribed.set(client, topics);
    if (topics.size < MAX_SUBSCRIPTIONS) topics.add(topic);
    return topics.has(topic);
  }
  const deleteRetained = (topic: string): void => {
    const empty = { cmd: "publish", topic, payload: Buffer.alloc(0), retain: true, qos: 0 } as const;
    persistence
      .storeRetained(empty)
      .catch((error: unknown) => log.error({ err: error }, "broker: a retained message could not be deleted"));
  };
  /** Returns whether a message may be retained; if not, it is still delivered to current subscribers. */
  function mayRetain(session: S, { topic, payload }: { topic: string; payload: string | Buffer }): boolean {
    const outcome = retained.add(session, topic, Buffer.byteLength(payload));
    if (outcome === "retained") return true;
    deleteRetained(topic); // otherwise subscribers would still get the older value
    const { account, maxRetained } = session;
    if (outcome === "full for the first time")
      log.warn(
        { account, maxRetained },
        "this account has reached its limit of retained messages; further ones are not retained",
      );
    return false;
  }
  // A client error ends the connection; after login, the logged client id identifies the session.
  aedes.on("clientError", ({ id }, error) =>
    log.debug({ clientId: id, reason: error.message }, "broker: client error"),
  );
  aedes.on("connectionError", (_client, error) => log.debug({ reason: error.message }, "broker: connection error"));

  aedes.on("client", (client) => {
    connected.add(client);
    const session = sessions.get(client);
    if (!session) return;
    const accountSessions = connections.get(session.account) ?? new Set();
    connections.set(session.account, accountSessions.add(client));
    const [oldest] = accountSessions;
    if (accountSessions.size > session.maxConnections) oldest?.close();
  });
  aedes.on("subscribe", (subscriptions, client) => {
    const session = sessions.get(client);
    if (session) for (const { topic } of subscriptions) options.onSubscribe?.(session, topic);
  });
  aedes.on("unsubscribe", (topics, client) => {
    for (const topic of topics) subscribed.get(client)?.delete(topic);
  });
  aedes.on("clientDisconnect", (client) => {
    connected.delete(client);
    const account = sessions.get(client)?.account ?? "";
    const accountSessions = connections.get(account);
    accountSessions?.delete(client);
    if (accountSessions?.size === 0) connections.delete(account);
    void persistence.cleanIncoming(client);
  });

  const sockets = new Set<Socket>();
  /** maps an encrypted connection to its TCP socket, on which limits and counts are based */
  const tcpSockets = new WeakMap<object, Socket>();
  const tcpSocketOf = (connection: Client["conn"]): Socket => tcpSockets.get(connection) ?? (connection as Socket);
  const register = (socket: Socket): void => {
    sockets.add(socket);
    strangers.add(socket);
    socket.once("close", () => sockets.delete(socket));
    socket.setNoDelay(true);
  };
  const serve = (socket: Socket): void => {
    meters.set(socket, limitPackets(socket));
    aedes.handle(socket);
  };
  const server = createServer((socket) => {
    register(socket);
    serve(socket);
  });
  const tlsServer = options.tls && createTlsListener(options.tls, { tcpSockets, register, serve });
  try {
    await listen(server, options);
  } catch (error) {
    aedes.close();
    throw error;
  }
  const hasTls = tlsServer && options.tls ? await listenForTls(tlsServer, options.host, options.tls, log) : false;
  return {
    port: portOf(server) ?? options.port,
    tlsPort: tlsServer && hasTls ? portOf(tlsServer) : null,
    replaceCertificate: ({ certificate, key }) => tlsServer?.setSecureContext({ cert: certificate, key }),
    end(isOver) {
      for (const client of connected) {
        if (!isAllowed(client, isOver)) continue;
        ended.add(client);
        client.close();
      }
      for (const topic of retained.removeAccounts(isOver)) deleteRetained(topic);
    },
    async close() {
      const servers = tlsServer ? [server, tlsServer] : [server];
      const closed = Promise.all(servers.map((one) => new Promise((resolve) => one.close(resolve))));
      await new Promise<void>((resolve) => aedes.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

interface ConnectionHandlers {
  /** TCP socket of each encrypted connection */
  tcpSockets: WeakMap<object, Socket>;
  /** registers a new connection before its login */
  register(tcpSocket: Socket): void;
  /** hands the connection to the MQTT server */
  serve(socket: Socket): void;
}

/** Encrypted connections count as strangers from their first byte, before the TLS handshake is complete. */
function createTlsListener(
  { certificate, key }: BrokerKey,
  { tcpSockets, register, serve }: ConnectionHandlers,
): TlsServer {
  const handshaking = new Map<string, Socket>();
  const endpointOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;
  const server = createTlsServer({ cert: certificate, key, handshakeTimeout: CONNECT_TIMEOUT_MS }, (socket) => {
    const tcpSocket = handshaking.get(endpointOf(socket));
    if (!tcpSocket) {
      socket.destroy();
      return;
    }
    tcpSockets.set(socket, tcpSocket);
    tcpSocket.once("close", () => socket.destroy());
    serve(socket);
  });
  server.on("connection", (tcpSocket: Socket) => {
    const endpoint = endpointOf(tcpSocket);
    handshaking.set(endpoint, tcpSocket);
    tcpSocket.once("close", () => {
      if (handshaking.get(endpoint) === tcpSocket) handshaking.delete(endpoint);
    });
    register(tcpSocket);
  });
  server.on("tlsClientError", (_error, socket) => socket.destroy());
  return server;
}

/** Starts listening for TLS. Never throws, because locks with plain connections must keep working. */
async function listenForTls(
  server: TlsServer,
  host: string,
  { port, portSetting }: { port: number; portSetting: string },
  log: Logger,
): Promise<boolean> {
  try {
    await listen(server, { host, port, portSetting });
    return true;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    log.warn({ port }, `locks can't connect encrypted: ${reason}`);
    return false;
  }
}

function portOf(server: Server): number | null {
  const bound = server.address();
  return bound !== null && typeof bound === "object" ? bound.port : null;
}

/** The part of Aedes's persistence that its types leave out. */
interface Persistence {
  /**
   * Records a QoS 2 message until it is released, to detect duplicates. Its number suffices, since it was already
   * delivered.
   */
  incomingStorePacket(client: Client, packet: { topic: string; payload: Buffer }): Promise<void>;
  cleanIncoming(client: Client): Promise<void>;
  /** Without a payload it deletes the retained message and notifies no subscriber. */
  storeRetained(packet: { topic: string; payload: Buffer }): Promise<void>;
}

function addressOf(connection: Client["conn"]): string {
  return "remoteAddress" in connection ? (connection.remoteAddress ?? "") : "";
}

/** Checks every incoming chunk with the meter before the broker's parser sees it. */
function limitPackets(socket: Socket): PacketMeter {
  const meter = new PacketMeter(MAX_BYTES_BEFORE_LOGIN);
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

async function listen(
  server: Server,
  { host, port, portSetting }: Pick<BrokerOptions<BrokerSession>, "host" | "port" | "portSetting">,
): Promise<void> {
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
