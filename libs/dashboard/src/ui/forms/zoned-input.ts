/** Returns the offset of the zone at that time, in milliseconds. */
function offsetAt(ms: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(ms);
  const part = (type: string) => Number(parts.find((found) => found.type === type)?.value);
  const local = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  );
  return local - Math.floor(ms / 1000) * 1000;
}

/** Formats a time as `YYYY-MM-DDTHH:MM` in the zone, for a native input; empty for null. */
export const msToLocal = (ms: number | null, timeZone: string): string =>
  ms === null ? '' : new Date(ms + offsetAt(ms, timeZone)).toISOString().slice(0, 16);

/** Parses `YYYY-MM-DDTHH:MM` in the zone; null if it is invalid. */
export function localToMs(local: string, timeZone: string): number | null {
  const utc = Date.parse(`${local}Z`);
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(local) || Number.isNaN(utc)) return null;
  // The first guess may use the offset before a clock change, so the result's offset decides.
  const guess = utc - offsetAt(utc, timeZone);
  return utc - offsetAt(guess, timeZone);
}
