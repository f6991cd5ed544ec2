/** Figures of a hotel for some nights. Amounts are minor units. */
export interface OccupancyFigures {
  /** rooms that could be let, added up over the nights */
  rooms: number;
  /** rooms with guests, added up over the nights */
  sold: number;
  /** what the stays are charged for their rooms in these nights */
  revenueMinor: number;
}

/** Share of the rooms that were sold, from 0 to 1; null without rooms. */
export const occupancyShare = ({ rooms, sold }: OccupancyFigures): number | null => (rooms > 0 ? sold / rooms : null);

/** Average daily rate: room revenue for each room that was sold; null if none was. */
export const averageRateMinor = ({ sold, revenueMinor }: OccupancyFigures): number | null =>
  sold > 0 ? Math.round(revenueMinor / sold) : null;

/** Room revenue for each room that could be let; null without rooms. */
export const revenuePerRoomMinor = ({ rooms, revenueMinor }: OccupancyFigures): number | null =>
  rooms > 0 ? Math.round(revenueMinor / rooms) : null;

export function addFigures(rows: readonly OccupancyFigures[]): OccupancyFigures {
  const total = { rooms: 0, sold: 0, revenueMinor: 0 };
  for (const { rooms, sold, revenueMinor } of rows) {
    total.rooms += rooms;
    total.sold += sold;
    total.revenueMinor += revenueMinor;
  }
  return total;
}
