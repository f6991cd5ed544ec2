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
  #client: Promise<pg.PoolClient> | undefined;

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
      (open) => open.release(true),
      () => undefined,
    );
  }

  async #open(): Promise<pg.PoolClient> {
    const client = await this.#pool.connect();
    client.setMaxListeners(0); // every worker that waits listens
    client.once("error", (error) => this.#lose(client, error));
    return client;
  }

  #lose(client: pg.PoolClient, error: Error): void {
    this.#client = undefined;
    client.release(true);
    for (const user of this.#users) user.listenerLost(error);
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
