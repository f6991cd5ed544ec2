// Runs before the first paint, so that neither the theme nor the direction flashes. Kept out of index.html for the CSP.
// The schemas' library would try whether it may make functions from text, which the CSP refuses and reports.
globalThis.__zod_globalConfig = { jitless: true };
(() => {
  // Nothing is parsed as HTML but this one style of the list component; the CSP sends everything else here to be refused.
  const LIST_STYLE =
    "[data-radix-select-viewport]{scrollbar-width:none;-ms-overflow-style:none;-webkit-overflow-scrolling:touch;}[data-radix-select-viewport]::-webkit-scrollbar{display:none}";
  globalThis.trustedTypes?.createPolicy("default", { createHTML: (html) => (html === LIST_STYLE ? html : null) });
  // Scroll locks of dialogs are style elements made by script; the CSP lets them in by the page's nonce, looked for here.
  globalThis.__webpack_nonce__ = document.querySelector('meta[property="csp-nonce"]')?.nonce;
  const root = document.documentElement;
  let theme = null;
  let language = null;
  try {
    theme = localStorage.getItem("theme");
    language = localStorage.getItem("language");
  } catch {
    // Storage may be blocked; the system's theme and left-to-right are the answer then.
  }
  const dark = theme === "dark" || (theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  root.dataset.theme = dark ? "dark" : "light";
  const prefersArabic = !language && navigator.language.toLowerCase().startsWith("ar");
  root.dir = language === "Arabic" || prefersArabic ? "rtl" : "ltr";
})();
