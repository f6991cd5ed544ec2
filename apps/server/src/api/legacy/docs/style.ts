/**
 * Stylesheet of the page: one column on phones, contents beside the text on wide screens; light or dark as the system
 * prefers.
 */
export const STYLE = `:root {
  color-scheme: light dark;
  --page: #ffffff;
  --text: #1c1f26;
  --quiet: #5b6472;
  --line: #d9dee7;
  --box: #f4f6fa;
  --link: #1d4fb8;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14171d;
    --text: #e6e9ef;
    --quiet: #a2abba;
    --line: #333a46;
    --box: #1d222b;
    --link: #8db4ff;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0;
  padding: 1rem;
  background: var(--page);
  color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif;
}
header { max-width: 60rem; }
h1 { margin: 0; font-size: 1.6rem; line-height: 1.2; }
h2 { margin: 2.5rem 0 0.5rem; padding-top: 1rem; border-top: 1px solid var(--line); font-size: 1.3rem; }
h3 { margin: 2rem 0 0.25rem; font: 600 1.05rem/1.4 ui-monospace, monospace; }
h2, h3 { overflow-wrap: anywhere; }
h2 a, h3 a { color: inherit; text-decoration: none; }
h2 a:hover, h3 a:hover { text-decoration: underline; }
p { margin: 0.5rem 0; }
.label { margin-bottom: 0; color: var(--quiet); font-size: 0.875rem; }
a { color: var(--link); }
a:focus-visible, summary:focus-visible, [tabindex]:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
code { font: 0.875em ui-monospace, monospace; overflow-wrap: anywhere; }
pre {
  margin: 0.25rem 0 0.75rem;
  padding: 0.75rem;
  border: 1px solid var(--line);
  border-radius: 0.5rem;
  background: var(--box);
  white-space: pre-wrap;
}
.wide { overflow-x: auto; margin: 0.75rem 0; }
table { width: 100%; border-collapse: collapse; font-size: 0.9375rem; }
th, td { padding: 0.375rem 0.75rem 0.375rem 0; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top; }
th { color: var(--quiet); font-weight: 600; white-space: nowrap; }
td { min-width: 3.5rem; }
td:first-child code { white-space: nowrap; }
nav { margin: 1rem 0; padding: 0.75rem 1rem; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--box); }
nav summary { padding: 0.25rem 0; cursor: pointer; }
nav > details > summary { font-weight: 600; }
nav ul { margin: 0; padding: 0; list-style: none; }
nav ul ul { padding-inline-start: 1rem; font-size: 0.875rem; }
nav a { display: inline-block; padding: 0.25rem 0; overflow-wrap: anywhere; }
main { min-width: 0; max-width: 60rem; }
section { scroll-margin-top: 1rem; }
@media (min-width: 64rem) {
  body { padding: 2rem; }
  .columns { display: grid; grid-template-columns: 19rem minmax(0, 1fr); gap: 2.5rem; align-items: start; }
  nav { position: sticky; top: 1rem; max-height: calc(100vh - 2rem); overflow-y: auto; }
}
@media print { nav { display: none; } }
`;
