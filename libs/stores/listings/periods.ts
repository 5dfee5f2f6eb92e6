import { addPeriods, parsePeriod } from '../../kernel/index.js';

const letters: Record<string, string> = { day: 'D', week: 'W', month: 'M', year: 'Y' };

/** ISO 8601 duration of some units, such as 3 of `month`; null for an unknown unit. 12 months are P1Y. */
export function periodOf(unit: unknown, count: unknown): string | null {
  const letter = typeof unit === 'string' ? letters[unit] : undefined;
  if (letter === undefined || !Number.isInteger(count) || Number(count) < 1) return null;
  if (letter === 'M' && Number(count) % 12 === 0) return `P${Number(count) / 12}Y`;
  return `P${Number(count)}${letter}`;
}

/** The duration as given, repeated; null unless it is an ISO 8601 duration. */
export function repeated(text: string | null, count = 1): string | null {
  const period = text === null ? null : parsePeriod(text);
  if (period === null || text === null) return null;
  if (count === 1) return text;
  const { years, months, weeks, days } = period;
  const units = [
    [years, 'Y'],
    [months, 'M'],
    [weeks, 'W'],
    [days, 'D'],
  ] as const;
  return `P${units.flatMap(([amount, letter]) => (amount > 0 ? `${amount * count}${letter}` : [])).join('')}`;
}

/** A day inside a long month of a leap-free year: equal durations in other units end at the same time. */
const ANCHOR_MS = Date.UTC(2026, 0, 1);

/** Whether two ISO 8601 durations are the same length: P12M and P1Y, P7D and P1W. */
export function isSameDuration(a: string | null, b: string | null): boolean {
  if (a === b) return true;
  const [first, second] = [a, b].map((text) => (text === null ? null : parsePeriod(text)));
  if (!first || !second) return false;
  const monthsOf = ({ years, months }: typeof first): number => years * 12 + months;
  return (
    monthsOf(first) === monthsOf(second) && addPeriods(ANCHOR_MS, first) === addPeriods(ANCHOR_MS, second)
  );
}
