const PORT = "5432";

/** The server that an address names, as `host:port`. */
function serverOf({ hostname, port, searchParams }: URL): string {
  return `${(searchParams.get("host") ?? hostname).toLowerCase()}:${searchParams.get("port") ?? (port || PORT)}`;
}

export const namesSameServer = (one: string, other: string): boolean =>
  serverOf(new URL(one)) === serverOf(new URL(other));

/** By what the addresses say: one server can have several names. */
export const namesSameDatabase = (one: string, other: string): boolean =>
  namesSameServer(one, other) && databaseNameOf(one) === databaseNameOf(other);

export const databaseNameOf = (url: string): string => decodeURIComponent(new URL(url).pathname.slice(1));

/** The same server and role, but another database. */
export function withDatabaseName(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${encodeURIComponent(name)}`;
  return changed.href;
}

/** The role that an address names; empty where it names none. */
export const roleNameOf = (url: string): string => decodeURIComponent(new URL(url).username);
