import type { z } from "zod";
import type { FieldMessage } from "./errors.ts";

type Issue = z.core.$ZodIssue;

/** Returns the first message of every invalid field by its path; used by forms and by all APIs. */
export function fieldMessages(issues: readonly Issue[]): Record<string, FieldMessage> {
  const fields: Record<string, FieldMessage> = {};
  for (const issue of issues) {
    const path = issue.path.map(String).join(".");
    fields[path] ??= { key: keyOf(issue), ...paramsOf(issue) };
  }
  return fields;
}

function keyOf(issue: Issue): string {
  if (issue.message.startsWith("validation.")) return issue.message;
  if (issue.code === "invalid_value") return "validation.choice";
  if (issue.code === "invalid_type") return "validation.required";
  if (issue.code === "too_big") return "validation.tooLarge";
  if (issue.code === "too_small") return "validation.tooSmall";
  return "validation.unknown";
}

function paramsOf(issue: Issue): { params?: Record<string, number> } {
  if (issue.code === "too_big" && issue.maximum !== undefined) return { params: { max: Number(issue.maximum) } };
  if (issue.code === "too_small" && issue.minimum !== undefined) return { params: { min: Number(issue.minimum) } };
  return {};
}
