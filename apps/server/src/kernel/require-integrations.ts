import { DomainError } from "@innkey/shared/errors";
import type { Scope } from "./scope.ts";

/**
 * Integrations need an authorisation in addition to the role (source: specification, section 6).
 * @throws no_permission, feature_off
 */
export function requireIntegrations(scope: Scope): void {
  scope.require("integrations.manage");
  if (!scope.actor.apiKeyAuth) throw new DomainError("feature_off");
}
