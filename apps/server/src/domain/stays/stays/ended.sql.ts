/**
 * End time of stay `s`, written as the index `stay_ended` has it, so that a query for one day skips earlier years. A
 * stay is either checked out or cancelled, never both.
 */
export const ENDED_AT = "coalesce(s.checked_out_at, s.cancelled_at, 'infinity')";
