import { AsyncLocalStorage } from "node:async_hooks";
import { PrismaPg } from "@prisma/adapter-pg";
import type pg from "pg";

/** The connection of one of Prisma's transactions, for statements that need nothing of Prisma. */
export interface TransactionConnection {
  /** @throws an error like Prisma's own if the transaction has ended, for example because it took too long */
  query<R extends pg.QueryResultRow>(statement: pg.QueryConfig): Promise<pg.QueryResult<R>>;
}

interface Opening {
  connection: TransactionConnection | undefined;
}
const opening = new AsyncLocalStorage<Opening>();

/**
 * Runs `begin`, which opens one of Prisma's transactions, and gives it the means to reach that transaction's connection
 * once it is open. A statement that goes there directly takes a third of the time that it takes through Prisma.
 */
export function withTransactionConnection<T>(
  begin: (connection: () => TransactionConnection) => Promise<T>,
): Promise<T> {
  const opened: Opening = { connection: undefined };
  return opening.run(opened, () =>
    begin(() => {
      if (!opened.connection) throw new Error("there is no transaction yet");
      return opened.connection;
    }),
  );
}

type Adapter = Awaited<ReturnType<PrismaPg["connect"]>>;
type AdapterTransaction = Awaited<ReturnType<Adapter["startTransaction"]>>;

/** Prisma's adapter, which also shows the connection of a transaction to `withTransactionConnection`. */
export class ConnectionAdapter extends PrismaPg {
  override async connect(): Promise<Adapter> {
    const adapter = await super.connect();
    const start = adapter.startTransaction.bind(adapter);
    adapter.startTransaction = async (isolationLevel) => {
      const transaction = await start(isolationLevel);
      const opened = opening.getStore();
      // A further transaction inside the work of this one has a connection of its own.
      if (opened && !opened.connection) opened.connection = connectionOf(transaction);
      return transaction;
    };
    return adapter;
  }
}

const END = /^(COMMIT|ROLLBACK)$/i;

function connectionOf(transaction: AdapterTransaction): TransactionConnection {
  const { client } = transaction as unknown as { client?: pg.PoolClient };
  if (!client) throw new Error("Prisma's transaction doesn't have its connection where it was");
  let ended = false;
  const executeRaw = transaction.executeRaw.bind(transaction);
  transaction.executeRaw = (query) => {
    // From here on the connection may already serve somebody else.
    if (END.test(query.sql)) ended = true;
    return executeRaw(query);
  };
  return {
    query(statement) {
      if (ended) return Promise.reject(Object.assign(new Error("The transaction has ended"), { code: "P2028" }));
      return client.query(statement);
    },
  };
}
