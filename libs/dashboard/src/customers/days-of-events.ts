import type { Schema } from '../api/types.js';

export type TimelineEvent = Schema<'CustomerEventDto'>;

const sequenceOf = ({ body }: TimelineEvent) => {
  const { sequence } = body as { sequence?: unknown };
  return typeof sequence === 'number' ? sequence : null;
};

/** Newest first. Sequence numbers decide: times come from stores, and stores report late. */
function newestFirst(a: TimelineEvent, b: TimelineEvent): number {
  const [first, second] = [sequenceOf(a), sequenceOf(b)];
  return first === null || second === null || first === second ? b.created_at - a.created_at : second - first;
}

export interface EventDay {
  /** What the heading says. */
  day: string;
  events: TimelineEvent[];
}

/** The events under headings of days; a day comes twice if a store reported late. */
export function daysOfEvents(
  events: readonly TimelineEvent[],
  dayOf: (event: TimelineEvent) => string,
): EventDay[] {
  const days: EventDay[] = [];
  for (const event of [...events].sort(newestFirst)) {
    const day = dayOf(event);
    if (days.at(-1)?.day !== day) days.push({ day, events: [] });
    days.at(-1)!.events.push(event);
  }
  return days;
}
