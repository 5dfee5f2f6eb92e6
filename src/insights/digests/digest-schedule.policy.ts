import { utcDay } from '../../../libs/kernel/index.js';
import type { WeekStart } from '../../workspace/projects/project.entity.js';
import { bucketOf } from '../charts/question/buckets.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DAYS_PER_WEEK = 7;
/** Figures of a day are not sent earlier after its end. */
const EARLIEST_MS = 20 * 60_000;

export type DigestPeriod = 'daily' | 'weekly';

/** When a digest is sent, and the days that it reports. */
export interface DigestSchedule {
  period: DigestPeriod;
  /** 1 is Monday. */
  weekday: number;
  hour: number;
  timeZone: string;
  /** First day of the weeks of the project's charts. */
  weekStartsOn: WeekStart;
}

/** UTC days, both included. */
export interface ReportedPeriod {
  firstDay: string;
  lastDay: string;
}

export interface DueDigest extends ReportedPeriod {
  dueMs: number;
}

/** Creating a formatter takes longer than using it. */
const formatters = new Map<string, Intl.DateTimeFormat>();

/** @throws RangeError for an unknown time zone */
function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known) return known;
  const numeric = {
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  } as const;
  const formatter = new Intl.DateTimeFormat('en-US', { ...numeric, timeZone, hourCycle: 'h23' });
  formatters.set(timeZone, formatter);
  return formatter;
}

/** Names of places and `UTC`; offsets such as `+01:00` are not time zones. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    formatterOf(name);
    return true;
  } catch {
    return false;
  }
}

/** The local time at an instant, to the minute, as if it were UTC. */
function localMs(atMs: number, timeZone: string): number {
  const parts = formatterOf(timeZone).formatToParts(atMs);
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value);
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'));
}

/** The first instant with this local time; null if clocks skip it. */
function instantOf(wallMs: number, timeZone: string): number | null {
  const offsetAt = (atMs: number) => localMs(atMs, timeZone) - Math.floor(atMs / 60_000) * 60_000;
  // The offset before a change of clocks gives the earlier of two instants.
  const candidates = [wallMs - DAY_MS, wallMs + DAY_MS].map((near) => wallMs - offsetAt(near));
  return candidates.find((at) => localMs(at, timeZone) === wallMs) ?? null;
}

/** An hour that does not exist on a day is the next one. */
function sendingTime(wallDayMs: number, { hour, timeZone }: DigestSchedule): number {
  for (let wallMs = wallDayMs + hour * HOUR_MS; ; wallMs += HOUR_MS) {
    const atMs = instantOf(wallMs, timeZone);
    if (atMs !== null) return atMs;
  }
}

const weekdayOf = (dayMs: number): number => new Date(dayMs).getUTCDay() || DAYS_PER_WEEK;

/** The last complete day or week at a time. */
export function lastComplete(
  atMs: number,
  { period, weekStartsOn }: Pick<DigestSchedule, 'period' | 'weekStartsOn'>,
): ReportedPeriod {
  const today = Math.floor(atMs / DAY_MS) * DAY_MS;
  const endMs = period === 'daily' ? today : bucketOf(today, { resolution: 'week', weekStartsOn });
  const days = period === 'daily' ? 1 : DAYS_PER_WEEK;
  return { firstDay: utcDay(endMs - days * DAY_MS), lastDay: utcDay(endMs - DAY_MS) };
}

function dueOn(wallDayMs: number, schedule: DigestSchedule): DueDigest {
  const atMs = sendingTime(wallDayMs, schedule);
  const reported = lastComplete(atMs, schedule);
  const earliestMs = endOf(reported) + EARLIEST_MS;
  return { ...reported, dueMs: Math.max(atMs, earliestMs) };
}

/** The instant after a period. */
export function endOf({ lastDay }: ReportedPeriod): number {
  return Date.parse(lastDay) + DAY_MS;
}

/** The times of some days around an instant, oldest first. */
function timesAround(atMs: number, schedule: DigestSchedule): DueDigest[] {
  const today = Math.floor(localMs(atMs, schedule.timeZone) / DAY_MS) * DAY_MS;
  const reach = schedule.period === 'daily' ? 2 : DAYS_PER_WEEK + 1;
  const days = Array.from({ length: 2 * reach + 1 }, (_, index) => today + (index - reach) * DAY_MS);
  return days
    .filter((day) => schedule.period === 'daily' || weekdayOf(day) === schedule.weekday)
    .map((day) => dueOn(day, schedule));
}

function found(due: DueDigest | undefined): DueDigest {
  if (!due) throw new Error('a schedule has a time before and after every instant');
  return due;
}

/** The first time after an instant at which a digest is sent. */
export function nextDue(afterMs: number, schedule: DigestSchedule): DueDigest {
  return found(timesAround(afterMs, schedule).find(({ dueMs }) => dueMs > afterMs));
}

/** The last time until an instant at which a digest is sent. Earlier ones that were missed are not made up for. */
export function latestDue(atMs: number, schedule: DigestSchedule): DueDigest {
  return found(timesAround(atMs, schedule).findLast(({ dueMs }) => dueMs <= atMs));
}

/** The period as stored: a day, or the first and the last day. */
export function periodKey({ firstDay, lastDay }: ReportedPeriod): string {
  return firstDay === lastDay ? firstDay : `${firstDay}/${lastDay}`;
}
