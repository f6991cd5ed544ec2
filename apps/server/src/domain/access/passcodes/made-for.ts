/** SQL text: the digits of a phone number without zeros in front and without the "(0)" of "+49 (0)30". */
const digitsSql = (number: string): string =>
  `ltrim(regexp_replace(replace(${number}, '(0)', ''), '[^0-9]', '', 'g'), '0')`;

/** SQL condition: the first number is the second one with up to three digits of a country code in front of it. */
const addsCountrySql = (longer: string, shorter: string): string =>
  `length(${shorter}) >= 6 AND length(${longer}) - length(${shorter}) BETWEEN 1 AND 3 AND right(${longer}, length(${shorter})) = ${shorter}`;

/**
 * SQL condition: the code in the row `code` was made out to the person in the row `guest`, by name or by phone number.
 * Another spelling of the number is the same number: with spaces, dots, dashes, slashes and brackets, and with or without
 * the country's code.
 */
export function madeForSql(code: string, guest: string): string {
  const [person, mobile] = [digitsSql(`${code}.person`), digitsSql(`${guest}.mobile`)];
  return `(lower(btrim(${code}.person)) = lower(btrim(${guest}.name))
    OR ${guest}.mobile <> '' AND ${code}.person ~ '^[+0-9[:space:]()./-]+$' AND ${mobile} <> ''
      AND (${person} = ${mobile} OR ${addsCountrySql(person, mobile)} OR ${addsCountrySql(mobile, person)}))`;
}
