-- Returns the LIKE patterns that ' ' || search_text(…) must match to contain every word of what a person typed: short
-- words at the beginning of a word, longer and wide ones anywhere, as in search_needles. A query without a letter or
-- digit matches nothing.
CREATE FUNCTION search_patterns(query text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN (
  SELECT array_agg(CASE WHEN word = '' THEN '' WHEN length(word) > 2 OR is_wide(word) THEN '%' || word || '%' ELSE '% ' || word || '%' END)
    FROM regexp_split_to_table(search_text(query), ' ') AS word
);
