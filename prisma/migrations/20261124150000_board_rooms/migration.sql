-- The board version at which each room last changed, so that a desk with an older board is sent only the rooms that
-- changed since. A change of the whole board (groups, order, a new or deleted room) raises `board_whole_version`
-- instead; desks with a board from before it read the whole.

-- AlterTable
ALTER TABLE "hotel_state" ADD COLUMN     "board_whole_version" BIGINT NOT NULL DEFAULT 1;

-- CreateTable
CREATE TABLE "board_room" (
    "hotel_id" INTEGER NOT NULL,
    "room_id" INTEGER NOT NULL,
    "version" BIGINT NOT NULL,

    CONSTRAINT "board_room_pkey" PRIMARY KEY ("hotel_id","room_id")
);

-- CreateIndex
CREATE INDEX "board_room_hotel_id_version_idx" ON "board_room"("hotel_id", "version");

-- AddForeignKey
ALTER TABLE "board_room" ADD CONSTRAINT "board_room_hotel_id_fkey" FOREIGN KEY ("hotel_id") REFERENCES "hotel_state"("hotel_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Boards from before this migration can't tell which rooms changed.
UPDATE hotel_state SET board_whole_version = board_version;

-- Raises a hotel's board version and notifies its desks at commit. The caller has locked the hotel's state row, so that
-- changes of one hotel have an order. p_rooms: the rooms that changed; null: the whole board.
CREATE FUNCTION raise_board(p_hotel int, p_rooms int[]) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  raised bigint;
BEGIN
  UPDATE hotel_state SET board_version = board_version + 1,
      board_whole_version = CASE WHEN p_rooms IS NULL THEN board_version + 1 ELSE board_whole_version END
    WHERE hotel_id = p_hotel RETURNING board_version INTO raised;
  INSERT INTO board_room (hotel_id, room_id, version)
    SELECT DISTINCT p_hotel, room_id, raised FROM unnest(p_rooms) AS room_id
    ON CONFLICT (hotel_id, room_id) DO UPDATE SET version = excluded.version;
  PERFORM pg_notify('innkey', jsonb_build_object('topic', 'board', 'hotelId', p_hotel, 'version', raised)::text);
  RETURN raised;
END $$;

-- Ends a write: chains its audit entries and raises the board version, in one statement. p_board: whether the board
-- changed; p_rooms: its rooms that changed, null for the whole board.
CREATE FUNCTION commit_write(p_hotel int, p_at timestamptz, p_actor jsonb, p_entries jsonb, p_board boolean, p_rooms int[])
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  state hotel_state;
  item jsonb;
  entry audit_entry;
BEGIN
  SELECT * INTO STRICT state FROM hotel_state WHERE hotel_id = p_hotel FOR UPDATE;
  FOR item IN SELECT * FROM jsonb_array_elements(p_entries) LOOP
    state.audit_seq := state.audit_seq + 1;
    entry := ROW(nextval('audit_entry_id_seq'), p_hotel, state.audit_seq, date_trunc('milliseconds', p_at),
      p_actor ->> 'kind', (p_actor ->> 'id')::int, p_actor ->> 'name', p_actor ->> 'door', p_actor ->> 'address',
      p_actor ->> 'requestId', item ->> 'action', item ->> 'entity', item ->> 'entityId',
      nullif(item -> 'before', 'null'::jsonb), nullif(item -> 'after', 'null'::jsonb), state.audit_hash, ''::bytea);
    entry.hash := audit_hash(entry);
    INSERT INTO audit_entry SELECT entry.*;
    state.audit_hash := entry.hash;
  END LOOP;
  IF jsonb_array_length(p_entries) > 0 THEN
    UPDATE hotel_state SET audit_seq = state.audit_seq, audit_hash = state.audit_hash WHERE hotel_id = p_hotel;
  END IF;
  IF p_board THEN
    PERFORM raise_board(p_hotel, p_rooms);
  END IF;
END $$;

-- For servers of the version before, while an update replaces one after another.
CREATE OR REPLACE FUNCTION commit_unit(p_hotel int, p_at timestamptz, p_actor jsonb, p_entries jsonb, p_board boolean)
RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  PERFORM commit_write(p_hotel, p_at, p_actor, p_entries, p_board, NULL);
  RETURN (SELECT board_version FROM hotel_state WHERE hotel_id = p_hotel);
END $$;
