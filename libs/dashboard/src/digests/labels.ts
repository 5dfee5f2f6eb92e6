import type { Digest } from './digests.queries.js';

export type Figure = Digest['figures'][number];

/** Names and explanations of the figures, in the order of a digest. */
export const figureLabels: Record<Figure, { label: string; hint?: string }> = {
  revenue: { label: 'Revenue' },
  mrr: { label: 'MRR', hint: 'At the end of the period.' },
  active_subscriptions: { label: 'Active subscriptions', hint: 'At the end of the period.' },
  active_trials: { label: 'Active trials', hint: 'At the end of the period.' },
  new_customers: { label: 'New customers' },
  new_trials: { label: 'New trials' },
  new_subscriptions: { label: 'New subscriptions' },
  churned: { label: 'Churned subscriptions' },
  refunds: { label: 'Refunds' },
  problems: { label: 'Open problems', hint: 'Failing webhooks, refused credentials and other alerts.' },
};

export const allFigures = Object.keys(figureLabels) as Figure[];

const MONDAY_MS = Date.UTC(2026, 0, 5);
const DAY_MS = 86_400_000;

/** 1 is Monday. */
export const weekdayName = (weekday: number): string =>
  new Date(MONDAY_MS + (weekday - 1) * DAY_MS).toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' });

export const hourLabel = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;

/** `Every day at 09:00, Europe/Berlin`. */
export function scheduleText({ period, weekday, hour, time_zone: zone }: Digest): string {
  const day = period === 'daily' ? 'Every day' : `Every ${weekdayName(weekday)}`;
  return `${day} at ${hourLabel(hour)}, ${zone.replaceAll('_', ' ')}`;
}
