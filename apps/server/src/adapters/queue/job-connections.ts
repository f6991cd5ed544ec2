import { EventEmitter } from "node:events";
import { type BackendFactory, PostgresConnection, PostgresQueueBackend } from "bullmq";
import type pg from "pg";

type ListenClient = Awaited<ReturnType<PostgresConnection["getListenClient"]>>;

/** The connections of all queues and workers to PostgreSQL. */
export interface JobConnections {
  /** what BullMQ calls to connect one queue or worker */
  connect: BackendFactory;
  /** Closes the listening connection, which the pool would otherwise wait for. */
  close(): void;
}

/**
 * Lets all workers listen over one connection of the pool. By itself, BullMQ takes one out of the pool for each of them,
 * and PostgreSQL spends several megabytes on each.
 */
export function shareConnections(pool: pg.Pool): JobConnections {
  const listener = new Listener(pool);
  return {
    connect: (name, options) =>
      new PostgresQueueBackend(new SharedConnection(pool, listener), name, { ...options, connection: pool }),
    close: () => listener.close(),
  };
}

/** The connection over which workers learn of new jobs; opened for the first of them, and again after it was lost. */
class Listener {
  readonly #pool: pg.Pool;
  readonly #users = new Set<SharedConnection>();
  #client: Promise<SharedClient> | undefined;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async join(user: SharedConnection): Promise<ListenClient> {
    this.#users.add(user);
    const opening = this.#client ?? this.#open();
    this.#client = opening;
    try {
      return await opening;
    } catch (error) {
      if (this.#client === opening) this.#client = undefined;
      throw error;
    }
  }

  leave(user: SharedConnection): void {
    this.#users.delete(user);
  }

  close(): void {
    const client = this.#client;
    this.#client = undefined;
    client?.then(
      (open) => open.release(),
      () => undefined,
    );
  }

  async #open(): Promise<SharedClient> {
    const client = await this.#pool.connect();
    client.once("error", (error) => this.#lose(client, error));
    return new SharedClient(client);
  }

  #lose(client: pg.PoolClient, error: Error): void {
    this.#client = undefined;
    client.release(true);
    for (const user of this.#users) user.listenerLost(error);
  }
}

/** The listening connection as the workers see it. */
class SharedClient extends EventEmitter implements ListenClient {
  readonly #client: pg.PoolClient;
  #statements: Promise<unknown> = Promise.resolve();

  constructor(client: pg.PoolClient) {
    super();
    this.setMaxListeners(0); // every worker that waits listens
    client.on("notification", (notification) => this.emit("notification", notification));
    this.#client = client;
  }

  /** Runs one statement after the other, because a connection of pg must not be used by several callers at once. */
  query(text: string, params: readonly unknown[] = []): Promise<pg.QueryResult> {
    const answer = this.#statements.then(() => this.#client.query(text, [...params]));
    this.#statements = answer.catch(() => undefined);
    return answer;
  }

  release(): void {
    this.#client.release(true);
  }
}

class SharedConnection extends PostgresConnection {
  readonly #listener: Listener;

  constructor(pool: pg.Pool, listener: Listener) {
    super(pool);
    this.#listener = listener;
  }

  override getListenClient(): Promise<ListenClient> {
    return this.#listener.join(this);
  }

  /** Wakes the worker that waits, as BullMQ does, so that it listens again. */
  listenerLost(error: Error): void {
    this.emit("listenerinvalidated");
    if (this.listenerCount("error") > 0) this.emit("error", error);
  }

  override close(): Promise<void> {
    this.#listener.leave(this);
    return super.close();
  }
}
