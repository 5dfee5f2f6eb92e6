/** ISO 8601 durations in the forms that stores use: `P1W`, `P1M`, `P1Y`, `P3D`, `PT5M`. */
export interface Period {
  readonly years: number;
  readonly months: number;
  readonly weeks: number;
  readonly days: number;
  readonly hours: number;
  readonly minutes: number;
  readonly seconds: number;
}

const PATTERN =
  /^P(?:(\d{1,4})Y)?(?:(\d{1,4})M)?(?:(\d{1,4})W)?(?:(\d{1,4})D)?(?:T(?:(\d{1,5})H)?(?:(\d{1,5})M)?(?:(\d{1,6})S)?)?$/;

/** Null unless the text is a positive ISO 8601 duration of whole numbers. */
export function parsePeriod(text: string): Period | null {
  const match = PATTERN.exec(text);
  if (!match) return null;
  const [years, months, weeks, days, hours, minutes, seconds] = match
    .slice(1)
    .map((part) => Number(part ?? 0));
  const period = { years, months, weeks, days, hours, minutes, seconds } as Period;
  return Object.values(period).some((value) => value > 0) ? period : null;
}

export function isDatePeriod(period: Period): boolean {
  return period.hours === 0 && period.minutes === 0 && period.seconds === 0;
}

const DAY_MS = 86_400_000;

/** Adds UTC calendar periods. In a shorter month, the day is its last: 31 January + 2 x P1M is still 31 March. */
export function addPeriods(anchorMs: number, period: Period, count = 1): number {
  const anchor = new Date(anchorMs);
  const monthsToAdd = (period.years * 12 + period.months) * count;
  const monthIndex = anchor.getUTCFullYear() * 12 + anchor.getUTCMonth() + monthsToAdd;
  const year = Math.floor(monthIndex / 12);
  const month = monthIndex % 12;
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const dayStart = Date.UTC(year, month, Math.min(anchor.getUTCDate(), lastDay));
  const timeOfDay = anchorMs - Date.UTC(anchor.getUTCFullYear(), anchor.getUTCMonth(), anchor.getUTCDate());
  const exact =
    (period.weeks * 7 + period.days) * DAY_MS +
    period.hours * 3_600_000 +
    period.minutes * 60_000 +
    period.seconds * 1000;
  return dayStart + timeOfDay + exact * count;
}
