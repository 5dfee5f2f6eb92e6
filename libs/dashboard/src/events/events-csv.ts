import { saveListAsCsv } from '../frame/jobs/list-csv.js';
import { isoTime } from '../ui/format/csv.js';
import { type EventFilter, eventsPage, type RecordedEvent } from './events.queries.js';

/** Saves all events that match the filter, with times in UTC. */
export function saveEvents(projectId: string, filter: EventFilter): void {
  saveListAsCsv<RecordedEvent>({
    name: 'events',
    header: [
      'id',
      'type',
      'occurred_at',
      'recorded_at',
      'environment',
      'app_id',
      'customer_id',
      'app_user_id',
      'body',
    ],
    row: (event) => [
      event.id,
      event.type,
      isoTime(event.occurred_at),
      isoTime(event.created_at),
      event.environment,
      event.app_id,
      event.customer_id,
      event.app_user_id,
      JSON.stringify(event.body),
    ],
    page: eventsPage(projectId, filter),
  });
}
