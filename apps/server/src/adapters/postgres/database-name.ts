const PORT = "5432";

/** Returns the server in an address, as `host:port`. */
function serverOf({ hostname, port, searchParams }: URL): string {
  return `${(searchParams.get("host") ?? hostname).toLowerCase()}:${searchParams.get("port") ?? (port || PORT)}`;
}

export const namesSameServer = (one: string, other: string): boolean =>
  serverOf(new URL(one)) === serverOf(new URL(other));

/** Compares the addresses only; one server can have several names. */
export const namesSameDatabase = (one: string, other: string): boolean =>
  namesSameServer(one, other) && databaseNameOf(one) === databaseNameOf(other);

export const databaseNameOf = (url: string): string => decodeURIComponent(new URL(url).pathname.slice(1));

/** Returns the address of another database on the same server, with the same role. */
export function withDatabaseName(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${encodeURIComponent(name)}`;
  return changed.href;
}

/** Returns the role in an address; empty if it has none. */
export const roleNameOf = (url: string): string => decodeURIComponent(new URL(url).username);
