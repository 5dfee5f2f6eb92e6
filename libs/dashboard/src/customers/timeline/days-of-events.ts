import type { Schema } from '../../api/types.js';

export type TimelineEvent = Schema<'CustomerEventDto'>;

const sequenceOf = ({ body }: TimelineEvent) => {
  const { sequence } = body as { sequence?: unknown };
  return typeof sequence === 'number' ? sequence : null;
};

/** Sorts newest first by sequence number, because times come from stores, which may report late. */
function newestFirst(a: TimelineEvent, b: TimelineEvent): number {
  const [first, second] = [sequenceOf(a), sequenceOf(b)];
  return first === null || second === null || first === second ? b.created_at - a.created_at : second - first;
}

interface Timed {
  id: string;
  occurred_at: number;
}

/** Inserts each record before the first older event, newest first. */
function withRecords<Record extends Timed>(
  events: readonly TimelineEvent[],
  records: readonly Record[],
): (TimelineEvent | Record)[] {
  const left = [...records];
  const items = events.flatMap((event): (TimelineEvent | Record)[] => {
    const older = left.findIndex(({ occurred_at: at }) => at <= event.occurred_at);
    return [...left.splice(0, older < 0 ? left.length : older), event];
  });
  return [...items, ...left];
}

export interface EventDay<Item> {
  /** Text of the heading. */
  day: string;
  items: Item[];
}

/** Groups events and records under day headings. A day occurs twice if a store reported late. */
export function daysOfEvents<Record extends Timed>(
  events: readonly TimelineEvent[],
  dayOf: (item: Timed) => string,
  records: readonly Record[] = [],
): EventDay<TimelineEvent | Record>[] {
  const days: EventDay<TimelineEvent | Record>[] = [];
  for (const item of withRecords([...events].sort(newestFirst), records)) {
    const day = dayOf(item);
    if (days.at(-1)?.day !== day) days.push({ day, items: [] });
    days.at(-1)!.items.push(item);
  }
  return days;
}
