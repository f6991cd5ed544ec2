import "../src/styles/index.css";
import { appTexts, deskTexts, startTexts } from "@/lib/i18n.ts";

await Promise.all([startTexts(), deskTexts(), appTexts()]);
