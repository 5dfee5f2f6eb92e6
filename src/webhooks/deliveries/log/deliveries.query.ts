import { ApiError } from '../../../platform/http/errors/api-error.js';
import { PageQuery } from '../../../platform/http/lists/page-query.js';
import {
  QueryParameter,
  type RawQuery,
  singleValue,
  TextParameter,
  TimeParameter,
} from '../../../platform/http/lists/query-parameters.js';
import { webhookEventTypes } from '../../events/event-types.js';

/** Parses an event type in upper or lower case, as upper case; null if absent. */
function readEventType(query: RawQuery, name: string): string | null {
  const type = singleValue(query, name)?.toLowerCase() ?? null;
  if (type === null || webhookEventTypes.some((known) => known === type)) return type?.toUpperCase() ?? null;
  throw ApiError.parameter(name, `${name} must be a known event type.`);
}

/** Filters of deliveries that integrations of every type have. */
export class ListDeliveriesQuery extends PageQuery {
  @QueryParameter(
    { type: String, description: 'An event type, in upper or lower case. Default: any.' },
    readEventType,
  )
  event_type: string | null;

  @TimeParameter({ description: 'Only deliveries created at or after this time, epoch milliseconds.' })
  from: Date | null;

  @TimeParameter({ description: 'Only deliveries created before this time, epoch milliseconds.' })
  to: Date | null;

  @TextParameter({ max: 255, description: 'Only deliveries of this event.' })
  event_id: string | null;

  @TextParameter({ max: 255, description: 'Only deliveries that this replay sent: its id.' })
  replay: string | null;
}
