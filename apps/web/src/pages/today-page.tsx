import { HandOverCard } from "@/features/hand-over/hand-over-card.tsx";
import { HomeScreen } from "@/features/home/home-screen.tsx";

/** The hotel today, with what the last shift left. */
export function TodayPage() {
  return <HomeScreen handOver={<HandOverCard />} />;
}
