-- What the palette finds by. Every name is kept a second time as it is compared: without case, accents, width and
-- punctuation. The rules are PostgreSQL's own and name their collation, so that they are the same in every database.
CREATE FUNCTION search_text(value text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN btrim(regexp_replace(
  normalize(
    regexp_replace(
      translate(
        replace(replace(replace(lower(normalize(value, NFKD) COLLATE pg_c_utf8), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'),
        'øłđðħıŋ٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', 'olddhin01234567890123456789'),
      -- accents, breathings, vowel points of Arabic and Hebrew, its tatweel, and what has no width
      '[\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0640\u200b-\u200f]', '', 'g'),
    NFKC),
  '[^[:alnum:]]+' COLLATE pg_c_utf8, ' ', 'g'));

-- A key begins with the name; what else is looked for stands on a second line, so that a name can be told from its beginning.
-- Cut off, since one character may stand for eighteen and an index takes no more than 2,700 bytes.
CREATE FUNCTION search_key(name text, rest text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN left(search_text(name), 300) || E'\n' || left(search_text(rest), 300);

-- Chinese, Japanese and Korean, where one or two characters are a word.
CREATE FUNCTION is_wide(value text) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN value ~ '^[\u1100-\u11ff\u2e80-\ua4cf\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff]+$';

-- What a key is indexed by: every three characters in a row of a word; its first and first two ("^a", "^an"); and in wide
-- scripts every one and two. pg_trgm finds nothing by fewer than three, and in some locales nothing of these scripts.
CREATE FUNCTION search_grams(key text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN (
  SELECT coalesce(array_agg(DISTINCT gram), '{}')
    FROM regexp_split_to_table(key, '\s+') AS word
    CROSS JOIN LATERAL (
      SELECT '^' || left(word, 1) AS gram WHERE word <> ''
      UNION ALL SELECT '^' || left(word, 2) WHERE length(word) > 1
      UNION ALL SELECT substr(word, at, 3) FROM generate_series(1, length(word) - 2) AS at
      UNION ALL SELECT part FROM generate_series(1, length(word)) AS at, substr(word, at, 1) AS part WHERE is_wide(part)
      UNION ALL SELECT part FROM generate_series(1, length(word) - 1) AS at, substr(word, at, 2) AS part WHERE is_wide(part)
    ) AS grams
);

-- The grams that everything must have which holds each word of `key`, which is a search_text: short words at the beginning
-- of a word, longer ones and wide ones anywhere.
CREATE FUNCTION search_needles(key text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN (
  SELECT coalesce(array_agg(DISTINCT gram), '{}')
    FROM regexp_split_to_table(key, '\s+') AS word
    CROSS JOIN LATERAL (
      SELECT CASE WHEN is_wide(word) THEN word ELSE '^' || word END AS gram WHERE length(word) BETWEEN 1 AND 2
      UNION ALL SELECT substr(word, at, 3) FROM generate_series(1, length(word) - 2) AS at
    ) AS grams
);

-- Compared by code point, so that a plain index finds beginnings.
ALTER TABLE guest ADD COLUMN search_key text COLLATE "C" NOT NULL
  GENERATED ALWAYS AS (search_key(name, mobile)) STORED;
ALTER TABLE customer ADD COLUMN search_key text COLLATE "C" NOT NULL
  GENERATED ALWAYS AS (search_key(name, company || ' ' || mobile || ' ' || email)) STORED;
ALTER TABLE room ADD COLUMN search_key text COLLATE "C" NOT NULL
  GENERATED ALWAYS AS (search_key(name, remark_name)) STORED;
ALTER TABLE card ADD COLUMN search_key text COLLATE "C" NOT NULL
  GENERATED ALWAYS AS (search_key(note, '')) STORED;
ALTER TABLE passcode ADD COLUMN search_key text COLLATE "C" NOT NULL
  GENERATED ALWAYS AS (search_key(person, '')) STORED;

CREATE INDEX guest_search_beginning ON guest (hotel_id, search_key) WHERE erased_at IS NULL;
CREATE INDEX customer_search_beginning ON customer (hotel_id, search_key);
CREATE INDEX passcode_search_beginning ON passcode (hotel_id, search_key);
CREATE INDEX guest_search_grams ON guest USING gin (search_grams(search_key));
CREATE INDEX customer_search_grams ON customer USING gin (search_grams(search_key));
CREATE INDEX card_search_grams ON card USING gin (search_grams(search_key)) WHERE note <> '';
CREATE INDEX passcode_search_grams ON passcode USING gin (search_grams(search_key));
