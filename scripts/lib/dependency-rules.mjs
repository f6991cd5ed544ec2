/** Licences under which a hotel may run a package and we may pass it on. */
const LICENCES = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT-0",
  "OFL-1.1",
  "PostgreSQL",
  "Python-2.0",
  "Unlicense",
  "Zlib",
]);

/** Packages with other licence terms, each with the reason why we may use it. */
const OTHER_TERMS = [
  {
    name: /^@img\/sharp-(libvips-)?/,
    licence: /LGPL-3\.0-or-later/,
    reason: "libvips is a separate library beside sharp and can be replaced",
  },
  {
    name: /^png-js$/,
    licence: /^none$/,
    reason: "its manifest names no licence; its LICENSE file contains the MIT licence",
  },
];

/** Checks whether an SPDX expression is satisfied by allowed licences. */
export function licenceAllowed(name, licence) {
  if (OTHER_TERMS.some((terms) => terms.name.test(name) && terms.licence.test(licence))) return true;
  return licence
    .replace(/[()]/g, "")
    .split(/ OR /i)
    .some((choice) => choice.split(/ AND /i).every((part) => LICENCES.has(part.trim())));
}

/** Returns the licence of a manifest. Old manifests use other formats. */
export function licenceOf({ license, licenses }) {
  if (typeof license === "string") return license;
  if (license?.type) return license.type;
  if (Array.isArray(licenses)) return licenses.map(({ type }) => type).join(" OR ");
  return "none";
}

/** Returns lockfile entries that could install something other than what was reviewed. */
export function lockfileProblems({ packages }) {
  return Object.entries(packages).flatMap(([key, { resolution = {} }]) => {
    if (resolution.tarball || resolution.type === "git" || resolution.repo) return [`${key} is not from the registry`];
    if (!/^sha512-/.test(resolution.integrity ?? "")) return [`${key} has no integrity`];
    return [];
  });
}

/** Returns packages with install scripts that pnpm-workspace.yaml neither allows nor forbids. */
export function scriptProblems(manifests, allowBuilds) {
  return [...manifests.values()]
    .filter(({ scripts = {} }) => scripts.preinstall || scripts.install || scripts.postinstall)
    .filter(({ name }) => !(name in allowBuilds))
    .map(({ name, version }) => `${name}@${version} wants to run a script on installation`);
}

/** Returns serious advisories without an exception or with an expired one. `today` is an ISO date. */
export function openAdvisories(advisories, exceptions, today) {
  return Object.entries(advisories).flatMap(([name, advisory]) =>
    advisory
      .filter(({ severity }) => severity === "high" || severity === "critical")
      .filter(({ id, url }) => {
        const exception = exceptions.find((one) => one.package === name && (one.id === id || url.endsWith(one.id)));
        return !exception || exception.until < today;
      })
      .map(({ severity, title, url }) => `${name}: ${severity}, ${title} (${url})`),
  );
}
