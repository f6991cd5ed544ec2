import { createHash, pbkdf2Sync, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Only the service whose volume it is can see it, whatever user that runs as. */
const FOR_ITS_SERVICE = 0o444;
/** Read by our own user only. */
const OURS = 0o400;
/** of the plugin's own default; the passwords are random and long */
const ITERATIONS = 101;

/**
 * The secrets of an installation by containers, one folder (a volume) for each service that needs some. What is there stays:
 * only what is missing is made, and what follows from it is written again, so that each start may begin with this.
 */
export function writeSecretFiles(root: string): void {
  const secret = (path: string, mode = OURS, bytes = 24): string => readOrCreate(join(root, path), mode, bytes);
  const derived = (path: string, text: string, mode = OURS): void => put(join(root, path), text, mode);

  secret("postgres/superuser-password", FOR_ITS_SERVICE);
  const owner = secret("postgres/owner-password", FOR_ITS_SERVICE);
  const server = secret("postgres/server-password", FOR_ITS_SERVICE);
  derived("owner/database-url", `postgresql://innkey_owner:${owner}@postgres:5432/innkey`);
  derived("server/database-url", `postgresql://innkey:${server}@postgres:5432/innkey`);
  derived("server/verify-database-url", `postgresql://innkey:${server}@postgres:5432/innkey_verify`);

  const redis = secret("server/redis-password");
  derived("server/redis-url", `redis://innkey:${redis}@redis:6379`);
  derived("redis/users.acl", redisUsers(redis), FOR_ITS_SERVICE);

  const broker = secret("server/mqtt-password");
  derived("server/mqtt-url", `mqtt://innkey:${broker}@mosquitto:1884`);
  const health = secret("mosquitto/health-password");
  derived("mosquitto/health/mosquitto_sub", brokerQuestion(health));
  const accounts = join(root, "mosquitto/dynamic-security.json");
  // The broker's from then on: it keeps the accounts of locks in it.
  if (!existsSync(accounts)) put(accounts, firstAccounts(broker, health), 0o600);

  secret("server/secret-key", OURS, 32);
  secret("server/metrics-token");
  const accessKey = secret("server/s3-access-key", OURS, 10);
  const secretKey = secret("server/s3-secret-key");
  derived("store/s3.json", storeAccounts(accessKey, secretKey), FOR_ITS_SERVICE);
}

/** A secret of hexadecimal digits: it needs no escaping wherever it goes. @throws Error for an empty file */
function readOrCreate(path: string, mode: number, bytes: number): string {
  if (!existsSync(path)) put(path, randomBytes(bytes).toString("hex"), mode);
  const text = readFileSync(path, "utf8").trim();
  if (text === "") throw new Error(`${path} is empty. Put the saved secret back, or remove the file to make another.`);
  return text;
}

function put(path: string, text: string, mode: number): void {
  mkdirSync(dirname(path), { recursive: true });
  if (existsSync(path) && readFileSync(path, "utf8") === text) return;
  // Anew, not over: nobody may write to what is there, not even its owner.
  rmSync(path, { force: true });
  writeFileSync(path, text, { mode, flag: "wx" });
}

/** Anyone may ask whether it lives; the server may do everything but administer. */
function redisUsers(password: string): string {
  const hash = createHash("sha256").update(password).digest("hex");
  return [
    "user default on nopass resetkeys resetchannels -@all +ping",
    `user innkey on #${hash} ~* &* +@all -@admin -@dangerous +info +client|list`,
    "",
  ].join("\n");
}

/** Options of mosquitto_sub, which reads them from a file so that no process list shows the password. */
function brokerQuestion(password: string): string {
  const options = ["-h 127.0.0.1", "-p 1884", "-u health", `-P ${password}`, "-t $SYS/broker/uptime", "-C 1", "-W 4"];
  return `${options.join("\n")}\n`;
}

/** What Mosquitto's dynamic security plugin begins with. Source: its README, and the file it writes itself. */
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

/** Accounts of SeaweedFS's S3 door: one, for one bucket. */
function storeAccounts(accessKey: string, secretKey: string): string {
  const actions = ["Read", "Write", "List", "Tagging", "Admin"].map((action) => `${action}:innkey`);
  return JSON.stringify({ identities: [{ name: "innkey", credentials: [{ accessKey, secretKey }], actions }] });
}
