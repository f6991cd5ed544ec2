import { createFileRoute } from "@tanstack/react-router";
import { DeviceTestPage } from "@/features/card-readers/device-test-page.tsx";

export const Route = createFileRoute("/_app/center/cardSenderFingerTest")({
  staticData: {
    titleKey: "reader.finger.title",
    trail: [{ to: "/reader", titleKey: "nav.cardReader" }],
  },
  component: DeviceTestPage,
});
