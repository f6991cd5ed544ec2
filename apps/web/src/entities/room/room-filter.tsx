import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { t } from "@/lib/i18n.ts";
import { Combobox } from "@/ui/form/combobox.tsx";
import { boardQuery } from "./board-query.ts";

type RoomFilterProps = {
  roomId: number | null;
  /** Text shown while no room is chosen */
  placeholder: string;
  onChange: (roomId: number | null) => void;
};

/** Filters a list by one room, for operators who may see rooms. */
export function RoomFilter({ roomId, placeholder, onChange }: RoomFilterProps) {
  const { data: board } = useQuery(boardQuery);
  const options = useMemo(() => (board?.rooms ?? []).map((room) => ({ value: room.id, label: room.name })), [board]);
  return (
    <div className="w-full sm:w-44">
      <Combobox
        options={options}
        value={roomId}
        onChange={onChange}
        placeholder={placeholder}
        aria-label={t("board.room")}
        clearable
      />
    </div>
  );
}
