-- What becomes of a deposit but to go back: it settles what is owed, or it is kept as income.
ALTER TYPE "order_type" ADD VALUE 'deposit_used';
ALTER TYPE "order_type" ADD VALUE 'deposit_kept';

-- Whatever the application does: money leaves the hotel by a person's hand, never by a program's.
CREATE FUNCTION check_payout() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT operator_id FROM orders WHERE id = NEW.order_id) IS NULL THEN
    RAISE EXCEPTION 'order % pays out money and names nobody who did', NEW.order_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER ledger_entry_payout AFTER INSERT ON ledger_entry FOR EACH ROW
  WHEN (NEW.amount_minor < 0 AND NEW.account IN ('cash', 'card', 'transfer', 'other')) EXECUTE FUNCTION check_payout();
