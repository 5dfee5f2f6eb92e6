import { addPeriods, parsePeriod, type Period } from '../../kernel/index.js';

/** The length of a subscription's periods. */
export interface Rhythm {
  period: Period;
  /** Length of an observed period; months differ in length. */
  exactMs: number | null;
}

export interface Span {
  startMs: number;
  endMs: number;
}

/** The time between two events that Roku reported. */
export interface Gap {
  fromMs: number;
  toMs: number;
  /** Access had ended by then, or no charge was due: the first payment came after `fromMs`. */
  isLapse: boolean;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Three days of grace, then 57 on hold: a failed charge never succeeds later than that. */
const RETRIES_MS = 60 * DAY_MS;
/** More periods than any subscription has had. */
const MOST = 600;

/** Subscription terms that Roku sells. */
const terms = ['P1W', 'P1M', 'P2M', 'P3M', 'P6M', 'P1Y'].flatMap((text) => parsePeriod(text) ?? []);

/** Tolerated difference between a period and the calendar: the last days of months differ by up to three. */
function slackOf(lengthMs: number): number {
  if (lengthMs >= 28 * DAY_MS) return 3 * DAY_MS;
  return lengthMs >= 7 * DAY_MS ? DAY_MS / 2 : lengthMs / 10;
}

/**
 * Uses the newest paid period whose length matches one that Roku sells (a retention offer makes one longer), else the
 * duration of the product, else the newest paid period. Null if none is known.
 */
export function rhythmOf(paid: Span[], duration: string | null): Rhythm | null {
  for (const { startMs, endMs } of paid.toReversed()) {
    const exactMs = endMs - startMs;
    const period = terms.find((term) => Math.abs(addPeriods(startMs, term) - endMs) <= slackOf(exactMs));
    if (period) return { period, exactMs };
  }
  const period = parsePeriod(duration ?? '');
  if (period) return { period, exactMs: null };
  const last = paid.at(-1);
  return last && last.endMs > last.startMs ? exactly(last.endMs - last.startMs) : null;
}

function exactly(exactMs: number): Rhythm {
  const none = { years: 0, months: 0, weeks: 0, days: 0, hours: 0, minutes: 0 };
  return { period: { ...none, seconds: exactMs / 1_000 }, exactMs };
}

/** The ends of periods that fill a gap without a remainder; null if none do. */
function endsThatFill({ fromMs, toMs }: Gap, { period, exactMs }: Rhythm): number[] | null {
  const gapMs = toMs - fromMs;
  const exact = exactMs === null ? 0 : Math.round(gapMs / exactMs);
  if (exactMs !== null && exact > 0 && Math.abs(exact * exactMs - gapMs) <= MINUTE_MS) {
    return Array.from({ length: exact }, (_, index) => toMs - (exact - 1 - index) * exactMs);
  }
  const slackMs = slackOf(addPeriods(fromMs, period) - fromMs);
  for (let count = 1; count < MOST; count++) {
    const endMs = addPeriods(fromMs, period, count);
    if (endMs > toMs + slackMs) return null;
    if (endMs >= toMs - slackMs) return byCalendar({ fromMs, toMs }, period, count);
  }
  return null;
}

/** Counts months from the later day of the month: the earlier one may be the last day of a short month. */
function byCalendar({ fromMs, toMs }: Omit<Gap, 'isLapse'>, period: Period, count: number): number[] {
  const isFromStart = new Date(fromMs).getUTCDate() >= new Date(toMs).getUTCDate();
  return Array.from({ length: count }, (_, index) => {
    const number = index + 1;
    if (number === count) return toMs;
    return isFromStart ? addPeriods(fromMs, period, number) : addPeriods(toMs, period, number - count);
  });
}

/**
 * The periods that must have been paid for in a gap, oldest first. If they fill it, they are consecutive.
 * Otherwise a charge had failed for a while: then count only periods that must have been paid for, because a missing
 * transaction may still be reported, but a false one can never be removed.
 */
export function paidSpans(gap: Gap, rhythm: Rhythm): Span[] {
  const { fromMs, toMs, isLapse } = gap;
  const ends = isLapse ? null : endsThatFill(gap, rhythm);
  if (ends) return ends.map((endMs, index) => ({ startMs: ends[index - 1] ?? fromMs, endMs }));
  const spans: Span[] = [];
  for (let endMs = toMs; endMs > fromMs + RETRIES_MS && spans.length < MOST;) {
    const startMs = Math.max(fromMs, addPeriods(toMs, rhythm.period, -spans.length - 1));
    spans.unshift({ startMs, endMs });
    endMs = startMs;
  }
  return spans;
}

/** The end of the period that a transaction started. Roku shows the latest end, which may be several periods later. */
export function endOfFirst({ startMs, endMs }: Span, rhythm: Rhythm | null, nowMs: number): number {
  if (rhythm === null) return endMs;
  const { period, exactMs } = rhythm;
  const lastStartMs = addPeriods(endMs, period, -1);
  const slackMs = slackOf(endMs - lastStartMs);
  const ownEndMs = exactMs === null ? addPeriods(startMs, period) : startMs + exactMs;
  const isOne = lastStartMs < ownEndMs - slackMs || lastStartMs > nowMs + slackMs;
  return isOne ? endMs : ownEndMs;
}

/** Periods up to an end that Roku shows. At least one, unless the end moved by less than a period, which is a gift. */
export function spansUpTo(gap: Gap, rhythm: Rhythm | null, nowMs: number): Span[] {
  const { fromMs, toMs } = gap;
  const whole = { startMs: fromMs, endMs: toMs };
  if (rhythm === null) return [whole];
  const lastStartMs = addPeriods(toMs, rhythm.period, -1);
  const slackMs = slackOf(toMs - lastStartMs);
  // A paid period has started, so the periods are longer than before.
  if (lastStartMs > nowMs + slackMs) return [whole];
  if (lastStartMs < fromMs - slackMs) return [];
  const spans = paidSpans(gap, rhythm);
  return spans.length > 0 ? spans : [{ startMs: Math.max(fromMs, lastStartMs), endMs: toMs }];
}
