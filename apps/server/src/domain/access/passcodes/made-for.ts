/**
 * SQL condition: the code in the row `code` was made out to the person in the row `guest`, by name or by phone number.
 * Another spelling of the number is the same number.
 */
export const madeForSql = (code: string, guest: string): string =>
  `(lower(btrim(${code}.person)) = lower(btrim(${guest}.name))
    OR ${guest}.mobile <> '' AND regexp_replace(${code}.person, '[\\s().-]', '', 'g') = ${guest}.mobile)`;
