-- Who left one hotel and was hired by another has a row for each: the account is the new one's, and the old one, which the
-- first hotel's records name, has none.
ALTER TABLE operator DROP CONSTRAINT operator_account;
