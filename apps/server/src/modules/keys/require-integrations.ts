import { DomainError } from "@innkey/shared/errors";
import type { Scope } from "../../core/scope.ts";

/**
 * Third-party access is for those who were given authority over it beside their role (source: specification, section 6).
 * @throws no_permission, feature_off
 */
export function requireIntegrations(scope: Scope): void {
  scope.require("integrations.manage");
  if (!scope.actor.apiKeyAuth) throw new DomainError("feature_off");
}
