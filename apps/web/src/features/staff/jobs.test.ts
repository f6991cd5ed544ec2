import { GRANTABLE_CAPABILITIES } from "@innkey/shared/capabilities";
import { expect, it } from "vitest";
import { JOB_CAPABILITIES, JOBS, jobOf } from "./jobs.ts";

it("gives each job only permissions that staff can be granted, and recognises the job by them", () => {
  for (const job of JOBS) {
    expect(GRANTABLE_CAPABILITIES).toEqual(expect.arrayContaining([...JOB_CAPABILITIES[job]]));
    expect(jobOf(JOB_CAPABILITIES[job].toReversed())).toBe(job);
  }
});

it("gives nobody the right to pay money out, and recognises no job in other permissions", () => {
  for (const job of JOBS) expect(JOB_CAPABILITIES[job]).not.toContain("folio.refund");
  expect(jobOf([...JOB_CAPABILITIES.housekeeping, "folio.refund"])).toBeNull();
  expect(jobOf([])).toBeNull();
});
