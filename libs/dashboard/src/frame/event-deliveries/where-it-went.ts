import type { EventDelivery } from './event-deliveries.queries.js';

type Status = EventDelivery['status'];

const sentences: [Status, string][] = [
  ['delivered', 'Sent to'],
  ['pending', 'Being sent to'],
  ['waiting', 'Waiting for'],
  ['failed', 'Failed for'],
  ['skipped', 'Not sent to'],
];

/** Says where an event went: "Sent to Amplitude, Slack. Waiting for Adjust." Each name counts with its best delivery. */
export function whereItWent(
  deliveries: Pick<EventDelivery, 'integration_id' | 'integration_name' | 'status'>[],
): string {
  const named = new Set<string>();
  const parts: string[] = [];
  for (const [status, start] of sentences) {
    const names = deliveries
      .filter((one) => one.status === status && !named.has(one.integration_id))
      .map(({ integration_id: id, integration_name: name }) => [id, name] as const);
    if (names.length === 0) continue;
    for (const [id] of names) named.add(id);
    parts.push(`${start} ${[...new Map(names).values()].join(', ')}.`);
  }
  return parts.join(' ');
}
