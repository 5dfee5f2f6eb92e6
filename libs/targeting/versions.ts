/** A version according to semantic versioning, with any number of parts. */
export interface Version {
  numbers: readonly number[];
  preRelease: readonly (number | string)[] | null;
}

const DIGITS = /^\d{1,15}$/;

/** Returns null for a text that is not a version; it counts as unknown. */
export function parseVersion(text: string | null): Version | null {
  if (text === null) return null;
  const [plain = ''] = text.trim().replace(/^v/i, '').split('+', 1);
  const dash = plain.indexOf('-');
  const parts = (dash === -1 ? plain : plain.slice(0, dash)).split('.');
  if (!parts.every((part) => DIGITS.test(part))) return null;
  const preRelease = dash === -1 ? null : plain.slice(dash + 1).split('.');
  return {
    numbers: parts.map(Number),
    preRelease: preRelease?.map((part) => (DIGITS.test(part) ? Number(part) : part)) ?? null,
  };
}

/** Numbers sort before texts, as in semantic versioning. */
function comparePart(a: number | string, b: number | string): number {
  if (typeof a === typeof b) return a < b ? -1 : a > b ? 1 : 0;
  return typeof a === 'number' ? -1 : 1;
}

function comparePreReleases(a: Version['preRelease'], b: Version['preRelease']): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  for (const [index, part] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    const difference = comparePart(part, other);
    if (difference !== 0) return difference;
  }
  return a.length < b.length ? -1 : 0;
}

/** Negative if `a` is older. Missing parts count as 0; a pre-release is older than its release. */
export function compareVersions(a: Version, b: Version): number {
  const length = Math.max(a.numbers.length, b.numbers.length);
  for (let index = 0; index < length; index++) {
    const difference = (a.numbers[index] ?? 0) - (b.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return comparePreReleases(a.preRelease, b.preRelease);
}

const MAX_KNOWN = 1_000;
const known = new Map<string, Version | null>();

/** Cached `parseVersion` for devices: apps have few versions, so most requests need no parsing. */
export function deviceVersion(text: string | null): Version | null {
  if (text === null) return null;
  const found = known.get(text);
  if (found !== undefined) return found;
  if (known.size >= MAX_KNOWN) known.clear();
  const version = parseVersion(text);
  known.set(text, version);
  return version;
}
