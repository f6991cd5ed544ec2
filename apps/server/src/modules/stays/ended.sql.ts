/**
 * When stay `s` was over, as the index `stay_ended` has it: who asks for a day passes over the years before it. A stay is
 * checked out or cancelled, never both.
 */
export const ENDED_AT = "coalesce(s.checked_out_at, s.cancelled_at, 'infinity')";
