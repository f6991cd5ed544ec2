import { withReader } from "@/entities/reader/desk-reader.ts";
import { useTranslation } from "@/lib/i18n.ts";
import type { CardReader, ReaderSelf } from "@/readers/card-reader.ts";
import { FINGERPRINT_STEPS, type FingerprintStep, fingerprintTest } from "@/readers/fingerprint.ts";
import { SELF_TEST_STEPS, selfTest } from "@/readers/self-test.ts";
import { PageHeader } from "@/ui/page-header.tsx";
import { Alert } from "@/ui/primitives/alert.tsx";
import { ReaderChoice } from "./reader-choice.tsx";
import { TestCard } from "./test-card.tsx";

/** Reader for the test. Each call goes through the desk's reader, so the connection shown is the one being tested. */
const testedReader: CardReader & ReaderSelf = {
  open: (signal) => withReader((reader) => reader.open(signal)),
  readUid: (signal) => withReader((reader) => reader.readUid(signal)),
  readBlock: (where, signal) => withReader((reader) => reader.readBlock(where, signal)),
  writeBlock: (where, data, signal) => withReader((reader) => reader.writeBlock(where, data, signal)),
  rekey: (sector, from, newKey, signal) => withReader((reader) => reader.rekey(sector, from, newKey, signal)),
  beep: (signal) => withReader((reader) => reader.beep(signal)),
  close: (signal) => withReader((reader) => reader.close(signal)),
  serial: (signal) => withReader((reader) => reader.serial(signal)),
  model: (signal) => withReader((reader) => reader.model(signal)),
  light: (signal) => withReader((reader) => reader.light(signal)),
  antenna: (signal) => withReader((reader) => reader.antenna(signal)),
};

/** Tests the fingerprint sensor and the card reader. */
export function DeviceTestPage() {
  const { t } = useTranslation();
  const fingerPrompt = (name: FingerprintStep): string | undefined => {
    if (name === "detect") return t("reader.finger.lay");
    return name.startsWith("extract") ? t("reader.finger.keep") : undefined;
  };
  return (
    <>
      <PageHeader title={t("reader.finger.title")} description={t("reader.finger.text")} />
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <TestCard
          primary
          title={t("reader.finger.sensor")}
          text={t("reader.finger.sensorText", { port: 9618 })}
          names={FINGERPRINT_STEPS}
          labelOf={(name) => t(`reader.finger.step.${name}`)}
          promptOf={fingerPrompt}
          make={() => fingerprintTest()}
        >
          <Alert tone="info" title={t("reader.finger.private")} />
        </TestCard>
        <TestCard
          title={t("reader.self.title")}
          text={t("reader.self.text")}
          names={SELF_TEST_STEPS}
          labelOf={(name) => t(`reader.self.step.${name}`)}
          make={() => ({ trials: selfTest(testedReader) })}
        >
          <ReaderChoice />
        </TestCard>
      </div>
    </>
  );
}
