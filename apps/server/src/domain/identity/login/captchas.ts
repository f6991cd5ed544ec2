import { randomUUID } from "node:crypto";
import { DomainError } from "@innkey/shared/errors";
import type { captcha } from "@innkey/shared/schemas/identity/auth";
import type { z } from "zod";
import type { Database } from "../../../adapters/postgres/client.ts";
import type { Clock } from "../../../kernel/clock.ts";
import type { SecretBox } from "../../../kernel/secret-box.ts";
import type { Attempts } from "./attempts.ts";
import { drawCaptcha, randomCaptchaText } from "./captcha-drawing.ts";

const VALID_MS = 5 * 60_000;

export interface CaptchaAnswer {
  captchaId?: string | undefined;
  code?: string | undefined;
}

/** Captchas: pictures of 4 characters, valid for five minutes and one try. */
export interface Captchas {
  /** @throws too_many_attempts */
  issue(address: string): Promise<z.infer<typeof captcha>>;
  /**
   * Checks the answer and uses the captcha up, right or wrong. @throws captcha_required without an answer,
   * captcha_wrong
   */
  check(answer: CaptchaAnswer): Promise<void>;
}

export function createCaptchas(deps: {
  database: Database;
  clock: Clock;
  box: SecretBox;
  attempts: Attempts;
}): Captchas {
  const { database, clock, box, attempts } = deps;
  const hashInput = (id: string, text: string): string => `captcha:${id}:${text.toUpperCase()}`;
  return {
    async issue(address) {
      await attempts.takeCaptcha(address);
      const now = clock.now();
      const [id, text, expiresAt] = [randomUUID(), randomCaptchaText(), new Date(now.getTime() + VALID_MS)];
      await database.prisma.captcha.deleteMany({ where: { expiresAt: { lt: now } } });
      await database.prisma.captcha.create({
        data: { id, answerHash: box.fingerprint(hashInput(id, text)), expiresAt },
      });
      const image = `data:image/svg+xml;base64,${Buffer.from(drawCaptcha(text)).toString("base64")}`;
      return { captchaId: id, image, expiresAt: expiresAt.toISOString() };
    },
    async check({ captchaId, code }) {
      if (!captchaId || !code) throw new DomainError("captcha_required");
      const { rows } = await database.pool.query<{ answerHash: Buffer }>(
        `DELETE FROM captcha WHERE id = $1 AND expires_at > $2 RETURNING answer_hash AS "answerHash"`,
        [captchaId, clock.now()],
      );
      const answerHash = rows[0]?.answerHash;
      if (!answerHash || !box.isFingerprint(hashInput(captchaId, code), answerHash))
        throw new DomainError("captcha_wrong");
    },
  };
}
