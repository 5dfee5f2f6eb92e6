import { Inject, Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { statement } from '../database/statement.js';
import type { PageRequest } from '../http/lists.js';

export interface EventRow {
  id: string;
  appId: string | null;
  type: string;
  body: object;
  createdAt: Date;
  occurredAt: Date;
}

const mine = `e.project_id = $1 AND (e.customer_id = $2 OR e.other_customer_id = $2)`;

const page = statement(
  'events.customer_page',
  `SELECT e.id, e.app_id AS "appId", e.type, e.body, e.created_at AS "createdAt", e.occurred_at AS "occurredAt"
   FROM events e
   WHERE ${mine} AND ($3::text IS NULL OR e.environment = $3)
     AND ($4::text IS NULL OR (e.occurred_at, e.created_at, e.id) < (
       SELECT e.occurred_at, e.created_at, e.id FROM events e WHERE ${mine} AND e.id = $4))
   ORDER BY e.occurred_at DESC, e.created_at DESC, e.id DESC LIMIT $5`,
);

const exists = statement('events.of_customer', `SELECT 1 FROM events e WHERE ${mine} AND e.id = $3`);

/** Reads of the event log. Events are written with the change they tell of. */
@Injectable()
export class EventsRepository {
  constructor(@Inject(Database) private readonly database: Database) {}

  /** One more than a page of a customer's events, newest first. */
  ofCustomer(
    projectId: string,
    customerId: string,
    environment: string | null,
    { after, limit }: PageRequest,
  ): Promise<EventRow[]> {
    return this.database.query(page, [projectId, customerId, environment, after, limit + 1]);
  }

  async isOfCustomer(projectId: string, customerId: string, eventId: string): Promise<boolean> {
    return (await this.database.query(exists, [projectId, customerId, eventId])).length > 0;
  }
}
