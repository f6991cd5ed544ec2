-- Lists of guests also find a stay by its note. Few stays have one, so the index holds only those.
CREATE INDEX stay_note_grams ON stay USING gin (search_grams(search_text(left(other_information, 1000)))) WHERE other_information <> '';
