/** SQL text: the digits of a phone number without zeros in front and without the "(0)" of "+49 (0)30". */
const digitsSql = (number: string): string =>
  `ltrim(regexp_replace(replace(${number}, '(0)', ''), '[^0-9]', '', 'g'), '0')`;

/** SQL condition: the first number is the second one with up to three digits of a country code in front of it. */
const addsCountrySql = (longer: string, shorter: string): string =>
  `length(${shorter}) >= 6 AND length(${longer}) - length(${shorter}) BETWEEN 1 AND 3 AND right(${longer}, length(${shorter})) = ${shorter}`;

/**
 * SQL condition: the code in the row `code` was made out to the person in the row `guest`, by name or by phone number.
 * Another spelling of the number is the same number: with spaces, dots, dashes, slashes and brackets, and with or without
 * the country's code. Several people may have the same, so it decides whose a code is only where nothing is stored
 * (`isHolderSql`).
 */
export function madeForSql(code: string, guest: string): string {
  const [person, mobile] = [digitsSql(`${code}.person`), digitsSql(`${guest}.mobile`)];
  return `(lower(btrim(${code}.person)) = lower(btrim(${guest}.name))
    OR ${guest}.mobile <> '' AND ${code}.person ~ '^[+0-9[:space:]()./-]+$' AND ${mobile} <> ''
      AND (${person} = ${mobile} OR ${addsCountrySql(person, mobile)} OR ${addsCountrySql(mobile, person)}))`;
}

/** SQL condition: the code in the row `code` was made out to a guest of its stay besides the one with the id `stayGuestId`. */
export function madeForOtherSql(code: string, stayGuestId = "0"): string {
  return `EXISTS (SELECT FROM stay_guest other JOIN guest other_guest ON other_guest.id = other.guest_id
    WHERE other.stay_id = ${code}.stay_id AND other.id <> ${stayGuestId} AND ${madeForSql(code, "other_guest")})`;
}

/**
 * SQL condition: the guest of a stay in the row `stayGuest`, who is the person in the row `guest`, has the code in the row
 * `code` of that stay. A code that stores no holder is the guest's to whom alone it was made out.
 */
export function isHolderSql(code: string, stayGuest: string, guest: string): string {
  return `(${code}.stay_guest_id = ${stayGuest}.id OR ${code}.stay_guest_id IS NULL AND ${madeForSql(code, guest)}
    AND NOT ${madeForOtherSql(code, `${stayGuest}.id`)})`;
}

/** SQL condition: the code in the row `code` was made out to no guest of its stay, so that it is the whole party's. */
export const isPartysSql = (code: string): string => `(${code}.stay_guest_id IS NULL AND NOT ${madeForOtherSql(code)})`;
