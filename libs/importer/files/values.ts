/** `2023-01-01 08:27:06`, with or without `T`, fractions and `Z`; UTC without a time zone. Or epoch milliseconds. */
const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?\s*(Z|UTC|[+-]\d{2}:?\d{2})?$/i;

/** Epoch milliseconds; null for anything that is not a time. */
export function timeOf(text: string | null): number | null {
  if (text === null) return null;
  const trimmed = text.trim();
  if (/^\d{1,16}(\.0+)?$/.test(trimmed)) return epochMilliseconds(Number(trimmed));
  const match = DATE_TIME.exec(trimmed);
  if (!match) return null;
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] = match;
  const offset = /^(z|utc)$/i.test(zone) ? 'Z' : zone.replace(/^([+-]\d{2}):?(\d{2})$/, '$1:$2');
  const milliseconds = fraction.slice(0, 3).padEnd(3, '0');
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${milliseconds}${offset}`);
  return Number.isNaN(time) ? null : time;
}

/** Some rows of the vendor's exports contain seconds in fields named milliseconds. */
export function epochMilliseconds(value: number): number {
  return value < 100_000_000_000 ? value * 1000 : value;
}

/** Template version 3 contains `t` and `f`. */
export function isTrue(text: string | null): boolean {
  return text !== null && /^(true|t|1|yes)$/i.test(text.trim());
}

export function numberOf(text: string | null): number | null {
  if (text === null || text.trim() === '') return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}

/** Reads `["a", "b"]`, and `{a,b}` or `{"a","b"}` of template version 3. */
export function listOf(text: string | null): string[] {
  if (text === null) return [];
  const inner = /^[[{](.*)[\]}]$/s.exec(undoubled(text).trim())?.[1];
  if (inner === undefined) return [];
  const items = inner.match(/"(?:[^"\\]|\\.)*"|[^,]+/g) ?? [];
  return items.map((item) => item.trim().replace(/^"(.*)"$/s, '$1')).filter((item) => item !== '');
}

/** Reads a JSON object, even if its quotes are doubled or escaped once more (before template version 6). */
export function objectOf(text: string | null): Record<string, unknown> | null {
  if (text === null) return null;
  for (const candidate of [text, undoubled(text), text.replaceAll('\\"', '"'), unwrapped(text)]) {
    try {
      const value: unknown = JSON.parse(candidate);
      const inner: unknown = typeof value === 'string' ? JSON.parse(value) : value;
      if (typeof inner === 'object' && inner !== null && !Array.isArray(inner)) {
        return inner as Record<string, unknown>;
      }
    } catch {
      // Try the next format.
    }
  }
  return null;
}

function undoubled(text: string): string {
  return unwrapped(text).replaceAll('""', '"');
}

/** Removes quotes around the whole text. */
function unwrapped(text: string): string {
  return /^"[{[].*[}\]]"$/s.test(text) ? text.slice(1, -1).replaceAll('\\"', '"') : text;
}
