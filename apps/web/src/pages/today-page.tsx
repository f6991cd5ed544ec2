import { HandOverCard } from "@/features/hand-over/hand-over-card.tsx";
import { HomeScreen } from "@/features/home/home-screen.tsx";
import type { TodayList, TodaySearch } from "@/features/home/today-search.ts";

type TodayPageProps = { search: TodaySearch; onList: (list: TodayList) => void };

/** The hotel today, with what the last shift left. */
export function TodayPage(props: TodayPageProps) {
  return <HomeScreen {...props} handOver={<HandOverCard />} />;
}
