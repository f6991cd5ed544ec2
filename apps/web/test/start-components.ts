import "../src/styles/index.css";
import { appTexts, startTexts } from "@/lib/i18n.ts";

await Promise.all([startTexts(), appTexts()]);
