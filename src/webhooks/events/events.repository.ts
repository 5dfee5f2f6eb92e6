import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../platform/database/database.service.js';
import { statement } from '../../platform/database/statement.js';
import type { Place } from '../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import { type EventTimes, placeOfEvent } from './event-place.js';
import { unlistedEventTypes } from './event-types.js';

export interface EventRow extends EventTimes {
  appId: string | null;
  type: string;
  body: object;
}

const unlisted = unlistedEventTypes.map((type) => `'${type}'`).join(', ');

const mine = `e.project_id = $1 AND (e.customer_id = $2 OR e.other_customer_id = $2)`;

const page = statement(
  'events.customer_page',
  `SELECT e.id, e.app_id AS "appId", e.type, e.body, e.created_at AS "createdAt", e.occurred_at AS "occurredAt"
   FROM events e
   WHERE ${mine} AND ($3::text IS NULL OR e.environment = $3)
     AND ($4::timestamptz IS NULL OR (e.occurred_at, e.created_at, e.id) < ($4, $5::timestamptz, $6::text))
   ORDER BY e.occurred_at DESC, e.created_at DESC, e.id DESC LIMIT $7`,
);

const find = statement(
  'events.of_customer',
  `SELECT e.occurred_at AS "occurredAt", e.created_at AS "createdAt", e.id FROM events e
   WHERE ${mine} AND e.id = $3`,
);

const customersOf = statement(
  'events.customers_of',
  `SELECT customer_id AS "customerId", other_customer_id AS "otherCustomerId" FROM events
   WHERE project_id = $1 AND created_at = $2 AND id = $3`,
);

const content = statement(
  'events.content',
  `SELECT e.body::text AS event, e.id AS "eventId", e.created_at AS "recordedAt", e.occurred_at AS "occurredAt",
     e.customer_id AS "customerId", e.other_customer_id AS "otherCustomerId", e.subscription_id AS "subscriptionId"
   FROM events e WHERE e.project_id = $1 AND e.id = $2 AND e.type NOT IN (${unlisted})`,
);

/** Counts only events recorded at or after they occurred, which is true for real customers. */
const countPayments = statement(
  'events.count_payments',
  `SELECT count(*)::int AS count FROM (
     SELECT 1 FROM events e
     WHERE e.project_id = $1 AND e.type IN ('INITIAL_PURCHASE', 'RENEWAL')
       AND coalesce(e.environment, '') = 'production' AND coalesce(e.app_id, '') = $2
       AND e.occurred_at > $3 AND e.occurred_at <= $4 AND e.created_at > $3
     LIMIT $5) found`,
);

/** The present customers of an event, by their own ids. */
export interface EventCustomers {
  customerId: string | null;
  /** The previous owner, in a transfer. */
  otherCustomerId: string | null;
}

/** An event as integrations receive it. */
export interface EventContent extends EventCustomers {
  /** JSON text, exactly as recorded. */
  event: string;
  eventId: string;
  recordedAt: Date;
  occurredAt: Date;
  subscriptionId: string | null;
}

/** After `from`, up to `to`. */
export interface EventSpan {
  from: Date;
  to: Date;
}

/** Reads the event log. Events are written together with the change that they report. */
@Injectable()
export class EventsRepository {
  constructor(private readonly database: DatabaseService) {}

  ofCustomer(
    projectId: string,
    customerId: string,
    environment: string | null,
    { limit }: PageRequest,
    after: Place | null,
  ): Promise<EventRow[]> {
    const place = after ?? [null, null, null];
    return this.database.query(page, [projectId, customerId, environment, ...place, limit + 1]);
  }

  async customersOf(projectId: string, createdAt: Date, id: string): Promise<EventCustomers | null> {
    const rows = await this.database.query<EventCustomers>(customersOf, [projectId, createdAt, id]);
    return rows[0] ?? null;
  }

  async content(projectId: string, id: string): Promise<EventContent | null> {
    return (await this.database.query<EventContent>(content, [projectId, id]))[0] ?? null;
  }

  async countPayments(
    { projectId, appId }: { projectId: string; appId: string },
    { from, to }: EventSpan,
    atMost: number,
  ): Promise<number> {
    const values = [projectId, appId, from, to, atMost];
    const [row] = await this.database.query<{ count: number }>(countPayments, values);
    return row?.count ?? 0;
  }

  async placeOf(projectId: string, customerId: string, eventId: string): Promise<Place | null> {
    const [row] = await this.database.query<EventTimes>(find, [projectId, customerId, eventId]);
    return row ? placeOfEvent(row) : null;
  }
}
