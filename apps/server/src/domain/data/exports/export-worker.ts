import { DomainError } from "@innkey/shared/errors";
import { languageOf } from "@innkey/shared/languages";
import type { Database } from "../../../adapters/postgres/client.ts";
import type { JobQueue } from "../../../adapters/queue/queue.ts";
import type { LargeFileStorage } from "../../../adapters/storage/storage.ts";
import type { Logger } from "../../../adapters/telemetry/logger.ts";
import type { Clock } from "../../../kernel/clock.ts";
import type { Scope } from "../../../kernel/scope.ts";
import type { Sessions } from "../../identity/public.ts";
import { errorOf, expiry, readRequest, runExport, withRights } from "./exports.service.ts";
import { openFile } from "./make-file.ts";

export interface ExportWorkerDeps {
  database: Database;
  clock: Clock;
  exportStorage: LargeFileStorage;
  queue: JobQueue;
  log: Logger;
  sessions: Pick<Sessions, "scopeAt">;
}

/** A worker without a heartbeat for this long counts as dead. */
const WORKER_TIMEOUT_MS = 30_000;
const HEARTBEAT_MS = 1000;
const SWEEP_SIZE = 100;

/**
 * An export that this worker has claimed. `aliveAt` is its last heartbeat; another worker that takes over writes a
 * different one.
 */
interface Claim {
  id: string;
  hotelId: number;
  operatorId: number;
  request: unknown;
  aliveAt: Date;
  rowsDone: number;
  /** the heartbeat being written */
  lastHeartbeat: Promise<void>;
  /** aborted when the export is cancelled, taken over by another worker, or the process ends */
  lost: AbortController;
}

/** Writes requested files, restarts those whose worker died, and deletes expired ones. */
export class ExportWorker {
  readonly #deps: ExportWorkerDeps;
  readonly #running = new Set<Claim>();
  /** claims being made; `close` waits for them, because a claimed row is "running" before its claim is in `#running` */
  readonly #claiming = new Set<Promise<Claim | null>>();

  constructor(deps: ExportWorkerDeps) {
    this.#deps = deps;
  }

  /** Writes one file. Stops without output if another worker owns the export or it was cancelled. */
  async run(exportId: string, log = this.#deps.log): Promise<void> {
    const newClaim = this.#claim(exportId);
    this.#claiming.add(newClaim);
    const claim = await newClaim.finally(() => this.#claiming.delete(newClaim));
    if (!claim) return;
    const timer = setInterval(() => {
      claim.lastHeartbeat = claim.lastHeartbeat.then(() => this.#sendHeartbeat(claim)).catch(() => undefined);
    }, HEARTBEAT_MS);
    const stopHeartbeats = async (): Promise<void> => {
      clearInterval(timer);
      await claim.lastHeartbeat;
    };
    try {
      const written = await this.#write(claim);
      await stopHeartbeats();
      if (!(await this.#end(claim, { state: "done", ...written }))) await this.#removeIfCancelled(exportId);
    } catch (error) {
      await stopHeartbeats();
      if (claim.lost.signal.aborted) return;
      const code = errorOf(error);
      if (code === "internal") log.error({ err: error, exportId }, "a list could not be written to a file");
      await this.#end(claim, { state: "failed", error: code });
    } finally {
      this.#running.delete(claim);
    }
  }

  /** Returns unfinished exports to the queue, so that the next start continues them. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#claiming);
    for (const claim of this.#running) {
      claim.lost.abort();
      await claim.lastHeartbeat;
      await this.#deps.database.prisma.export.updateMany({
        where: { id: claim.id, state: "running", aliveAt: claim.aliveAt },
        data: { state: "queued", aliveAt: null },
      });
    }
  }

  async sweep(): Promise<void> {
    const { database, clock, queue, exportStorage } = this.#deps;
    const now = clock.now();
    const deadline = new Date(now.getTime() - WORKER_TIMEOUT_MS);
    const abandoned = await database.prisma.export.findMany({
      where: {
        OR: [
          { state: "queued", createdAt: { lt: deadline } },
          { state: "running", aliveAt: { lt: deadline } },
        ],
      },
      orderBy: { createdAt: "asc" },
      take: SWEEP_SIZE,
      select: { id: true },
    });
    for (const { id } of abandoned) await queue.add(runExport, { exportId: id });
    const expired = await database.prisma.export.findMany({
      where: { expiresAt: { lte: now } },
      take: SWEEP_SIZE,
      select: { id: true },
    });
    for (const { id } of expired) {
      await exportStorage.remove(id);
      await database.prisma.export.delete({ where: { id } });
    }
  }

  async #claim(exportId: string): Promise<Claim | null> {
    const { database, clock } = this.#deps;
    const now = clock.now();
    const { rows } = await database.pool.query<Pick<Claim, "id" | "hotelId" | "operatorId" | "request">>(
      `UPDATE export SET state = 'running', alive_at = $2, rows_done = 0
        WHERE id = $1 AND (state = 'queued' OR (state = 'running' AND alive_at < $3))
        RETURNING id, hotel_id AS "hotelId", operator_id AS "operatorId", request`,
      [exportId, now, new Date(now.getTime() - WORKER_TIMEOUT_MS)],
    );
    if (!rows[0]) return null;
    const lost = new AbortController();
    const claim: Claim = { ...rows[0], aliveAt: now, rowsDone: 0, lastHeartbeat: Promise.resolve(), lost };
    this.#running.add(claim);
    return claim;
  }

  /** Writes heartbeat and progress; aborts the claim if the export was cancelled or taken over. */
  async #sendHeartbeat(claim: Claim): Promise<void> {
    const now = this.#deps.clock.now();
    const { rowCount } = await this.#deps.database.pool.query(
      "UPDATE export SET alive_at = $3, rows_done = $4 WHERE id = $1 AND state = 'running' AND alive_at = $2",
      [claim.id, claim.aliveAt, now, claim.rowsDone],
    );
    if (rowCount === 1) claim.aliveAt = now;
    else claim.lost.abort();
  }

  async #write(claim: Claim): Promise<{ sizeBytes: number; request: object }> {
    const scope = await this.#scopeOf(claim);
    const file = await openFile(scope, readRequest(claim.id, claim.request, scope));
    const bytes = file.bytes((rows) => {
      claim.rowsDone += rows;
    });
    const sizeBytes = await this.#deps.exportStorage.save(claim.id, untilLost(bytes, claim.lost.signal));
    return { sizeBytes, request: withRights(claim.request, scope) };
  }

  /** Opens a scope with the staff member's current rights. @throws no_permission if they no longer work here */
  async #scopeOf({ operatorId, hotelId, id, request }: Claim): Promise<Scope> {
    const requestedLanguage =
      typeof request === "object" && request !== null && "language" in request ? request.language : null;
    const language = languageOf(typeof requestedLanguage === "string" ? requestedLanguage : null).code;
    const visitor = { address: "", userAgent: "", language, channel: "system" as const, requestId: id };
    const scope = await this.#deps.sessions.scopeAt(operatorId, hotelId, visitor);
    if (!scope) throw new DomainError("no_permission");
    return scope;
  }

  /** Ends the export. Returns false if it was cancelled or taken over in the meantime. */
  async #end(
    claim: Claim,
    outcome: { state: "done"; sizeBytes: number; request: object } | { state: "failed"; error: string },
  ) {
    const now = this.#deps.clock.now();
    const { count } = await this.#deps.database.prisma.export.updateMany({
      where: { id: claim.id, state: "running", aliveAt: claim.aliveAt },
      data: { ...outcome, rowsDone: claim.rowsDone, endedAt: now, expiresAt: expiry(now) },
    });
    return count === 1;
  }

  /**
   * Removes a file that was finished just after its export was cancelled. Leaves a file that another worker is writing
   * again.
   */
  async #removeIfCancelled(exportId: string): Promise<void> {
    const row = await this.#deps.database.prisma.export.findUnique({
      where: { id: exportId },
      select: { state: true },
    });
    if (!row || row.state === "cancelled") await this.#deps.exportStorage.remove(exportId);
  }
}

async function* untilLost(bytes: AsyncIterable<Buffer>, lost: AbortSignal): AsyncGenerator<Buffer> {
  for await (const part of bytes) {
    lost.throwIfAborted();
    yield part;
  }
}
