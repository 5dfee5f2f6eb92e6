import { utcDay } from '../../../libs/kernel/index.js';

const DAY_MS = 86_400_000;

/** The time window of a query. */
export interface Window {
  fromMs: number;
  /** Inclusive. */
  nowMs: number;
}

export function startOfDay(epochMs: number): number {
  return Math.floor(epochMs / DAY_MS) * DAY_MS;
}

/** Returns days oldest first, both included. */
export function daysBetween(fromMs: number, untilMs: number): string[] {
  const days: string[] = [];
  for (let dayMs = startOfDay(fromMs); dayMs <= untilMs; dayMs += DAY_MS) days.push(utcDay(dayMs));
  return days;
}
