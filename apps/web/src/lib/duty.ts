import type { Due } from "@innkey/shared/schemas/auth";

/** Where somebody does what is due before anything else. */
export const DUTY_PAGES = { password: "/new-password", two_step: "/two-step" } as const satisfies Record<Due, string>;
