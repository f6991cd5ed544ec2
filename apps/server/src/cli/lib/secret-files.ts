import { createHash, pbkdf2Sync, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Readable by any user: only the service that mounts the volume can see the file. */
const ALL_MAY_READ = 0o444;
/** Readable only by our own user. */
const OWNER_MAY_READ = 0o400;
/** Default of the plugin; enough because the passwords are long and random */
const ITERATIONS = 101;

/**
 * Writes the secrets of a container installation, one folder (a volume) per service. Existing secrets stay; missing
 * ones are created and derived files are written again, so every start may run this.
 */
export function writeSecretFiles(root: string): void {
  const secret = (path: string, mode = OWNER_MAY_READ, bytes = 24): string =>
    readOrCreate(join(root, path), mode, bytes);
  const derived = (path: string, text: string, mode = OWNER_MAY_READ): void => put(join(root, path), text, mode);

  secret("postgres/superuser-password", ALL_MAY_READ);
  const owner = secret("postgres/owner-password", ALL_MAY_READ);
  const server = secret("postgres/server-password", ALL_MAY_READ);
  derived("owner/database-url", `postgresql://innkey_owner:${owner}@postgres:5432/innkey`);
  derived("server/database-url", `postgresql://innkey:${server}@postgres:5432/innkey`);
  derived("server/verify-database-url", `postgresql://innkey:${server}@postgres:5432/innkey_verify`);

  const redis = secret("server/redis-password");
  derived("server/redis-url", `redis://innkey:${redis}@redis:6379`);
  derived("redis/users.acl", redisUsers(redis), ALL_MAY_READ);

  const broker = secret("server/mqtt-password");
  derived("server/mqtt-url", `mqtt://innkey:${broker}@mosquitto:1884`);
  const health = secret("mosquitto/health-password");
  derived("mosquitto/health/mosquitto_sub", mosquittoSubOptions(health));
  const accounts = join(root, "mosquitto/dynamic-security.json");
  // Written only once, because the broker stores the accounts of locks in it.
  if (!existsSync(accounts)) put(accounts, firstAccounts(broker, health), 0o600);

  secret("server/secret-key", OWNER_MAY_READ, 32);
  secret("server/metrics-token");
  const accessKey = secret("server/s3-access-key", OWNER_MAY_READ, 10);
  const secretKey = secret("server/s3-secret-key");
  derived("store/s3.json", storeAccounts(accessKey, secretKey), ALL_MAY_READ);
}

/** Returns a secret of hexadecimal digits, which need no escaping anywhere. @throws Error if the file is empty */
function readOrCreate(path: string, mode: number, bytes: number): string {
  if (!existsSync(path)) put(path, randomBytes(bytes).toString("hex"), mode);
  const text = readFileSync(path, "utf8").trim();
  if (text === "") throw new Error(`${path} is empty. Put the saved secret back, or remove the file to make another.`);
  return text;
}

function put(path: string, text: string, mode: number): void {
  mkdirSync(dirname(path), { recursive: true });
  if (existsSync(path) && readFileSync(path, "utf8") === text) return;
  // Replaced instead of written into, because it may be read-only.
  rmSync(path, { force: true });
  writeFileSync(path, text, { mode, flag: "wx" });
}

/** Returns Redis's access list: anyone may ping; the server may do everything but administration. */
function redisUsers(password: string): string {
  const hash = createHash("sha256").update(password).digest("hex");
  return [
    "user default on nopass resetkeys resetchannels -@all +ping",
    `user innkey on #${hash} ~* &* +@all -@admin -@dangerous +info +client|list`,
    "",
  ].join("\n");
}

/**
 * Returns options of mosquitto_sub. It reads them from a file, so that the password doesn't appear in process lists.
 */
function mosquittoSubOptions(password: string): string {
  const options = ["-h 127.0.0.1", "-p 1884", "-u health", `-P ${password}`, "-t $SYS/broker/uptime", "-C 1", "-W 4"];
  return `${options.join("\n")}\n`;
}

/**
 * Returns the initial file of Mosquitto's dynamic security plugin. Source: its README, and a file that it wrote
 * itself.
 */
function firstAccounts(server: string, health: string): string {
  const client = (username: string, password: string) => {
    const salt = randomBytes(12);
    const hash = pbkdf2Sync(password, salt, ITERATIONS, 64, "sha512");
    return {
      username,
      password: hash.toString("base64"),
      salt: salt.toString("base64"),
      iterations: ITERATIONS,
      roles: [{ rolename: username }],
    };
  };
  const everything = ["#", "$CONTROL/dynamic-security/#", "$share/innkey/#"];
  const acls = everything.flatMap((topic) =>
    ["publishClientSend", "publishClientReceive", "subscribePattern"].map((acltype) => ({
      acltype,
      topic,
      allow: true,
    })),
  );
  const uptime = { acltype: "subscribeLiteral", topic: "$SYS/broker/uptime", allow: true };
  return JSON.stringify({
    defaultACLAccess: { publishClientSend: false, publishClientReceive: true, subscribe: false, unsubscribe: true },
    clients: [client("innkey", server), client("health", health)],
    groups: [],
    roles: [
      { rolename: "innkey", acls },
      { rolename: "health", acls: [uptime] },
    ],
  });
}

/** Returns the account for SeaweedFS's S3 API, limited to one bucket. */
function storeAccounts(accessKey: string, secretKey: string): string {
  const actions = ["Read", "Write", "List", "Tagging", "Admin"].map((action) => `${action}:innkey`);
  return JSON.stringify({ identities: [{ name: "innkey", credentials: [{ accessKey, secretKey }], actions }] });
}
