import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { Narrowing } from '../../platform/database/narrowing.js';
import { statement } from '../../platform/database/statement.js';
import {
  clockCustomers,
  customerIdOf,
  ownerOf,
} from '../../customers/customers/identity/customer-names.sql.js';
import type { Place } from '../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import { monthOf, startOf } from '../../platform/partitions/months.js';
import { unlistedEventTypes } from './event-types.js';
import { type EventTimes, placeOfEvent } from './event-place.js';

export interface LoggedEvent extends EventTimes {
  type: string;
  environment: 'production' | 'sandbox' | null;
  appId: string | null;
  /** Original app user id; null if the customer was deleted, and for events without a customer. */
  customerAppUserId: string | null;
  /** The id in the event; null for events that have none. */
  appUserId: string | null;
  body: object;
}

/** Filters of a log; null fields do not filter. */
export interface EventFilter {
  /** Upper case. */
  types: string[] | null;
  /** Any app user id of a customer on either side of a transfer. */
  customer: string | null;
  environment: string | null;
  appId: string | null;
  /** Only customers on this test clock. */
  testClockId: string | null;
}

/** Environment and app of an event as stored in the index. */
const environmentKey = `coalesce(e.environment, '')`;
const appKey = `coalesce(e.app_id, '')`;

/** Whether the filter includes all customers. */
const isOfAll = ({ customer, testClockId }: EventFilter): boolean =>
  customer === null && testClockId === null;

const isListed = (event: string): string =>
  `${event}.type NOT IN (${unlistedEventTypes.map((type) => `'${type}'`).join(', ')})`;

const order = ['e.occurred_at', 'e.created_at', 'e.id'];
const sorting = order.map((column) => `${column} DESC`).join(', ');
const keys = order.join(', ');

/** True if an event recorded before $2 occurred later, up to $3 (null: any time). Test clocks cause this. */
const isAhead = statement(
  'events.is_ahead',
  `SELECT EXISTS (SELECT 1 FROM events e
     WHERE e.project_id = $1 AND e.occurred_at > e.created_at AND e.created_at < $2 AND e.occurred_at >= $2
       AND ($3::timestamptz IS NULL OR e.occurred_at <= $3)) AS "isAhead"`,
);

const find = statement(
  'events.find',
  `SELECT e.occurred_at AS "occurredAt", e.created_at AS "createdAt", e.id
   FROM events e WHERE e.project_id = $1 AND e.id = $2 AND ${isListed('e')}
     AND ($3::text[] IS NULL OR e.type = ANY ($3)) AND ($4::text IS NULL OR e.environment = $4)
     AND ($5::text IS NULL OR e.app_id = $5)
     AND ($6::text IS NULL OR ${customerIdOf('$6')} IN (e.customer_id, e.other_customer_id))
     AND ($7::text IS NULL OR e.customer_id IN (${clockCustomers('$7')}))`,
);

/** Columns of an event `e`, with the original app user id of its customer `c`. */
const shown = `e.id, e.type, e.environment, e.app_id AS "appId", c.original_app_user_id AS "customerAppUserId",
  e.body ->> 'app_user_id' AS "appUserId", e.occurred_at AS "occurredAt", e.created_at AS "createdAt", e.body`;

const one = statement(
  'events.one',
  `SELECT ${shown} FROM events e ${ownerOf('e')}
   WHERE e.project_id = $1 AND e.id = $2 AND ${isListed('e')}`,
);

/** The event log of a whole project, newest first. Selects the page's keys first, then looks up its rows. */
@Injectable()
export class EventLogRepository {
  constructor(
    private readonly database: DatabaseService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async find(projectId: string, id: string): Promise<LoggedEvent | null> {
    const [row] = await this.database.query<LoggedEvent>(one, [projectId, id]);
    return row ?? null;
  }

  async placeOf(projectId: string, filter: EventFilter, id: string): Promise<Place | null> {
    const { types, environment, appId, customer, testClockId } = filter;
    const values = [projectId, id, types, environment, appId, customer, testClockId];
    const [row] = await this.database.forReading.query<EventTimes>(find, values);
    return row ? placeOfEvent(row) : null;
  }

  /**
   * Up to `limit + 1` rows after `place`. Reads the partitions of two months first: events recorded at or after the
   * time when they occurred cannot be in earlier partitions.
   */
  async page(
    projectId: string,
    filter: EventFilter,
    request: PageRequest,
    place: Place | null,
  ): Promise<LoggedEvent[]> {
    if (isOfAll(filter)) {
      const newest = place === null ? this.clock.nowMs() : Math.max(0, Number(place[0]));
      const since = startOf(monthOf(newest) - 1);
      const recent = await this.findPage(projectId, filter, request, place, since);
      if (recent.length > request.limit && !(await this.isAhead(projectId, since, place))) return recent;
    }
    return this.findPage(projectId, filter, request, place, null);
  }

  private async isAhead(projectId: string, since: Date, place: Place | null): Promise<boolean> {
    const values = [projectId, since, place?.[0] ?? null];
    const [row] = await this.database.forReading.query<{ isAhead: boolean }>(isAhead, values);
    return row?.isAhead ?? false;
  }

  /** `since`: only events that both occurred and were recorded at that time or later. */
  private findPage(
    projectId: string,
    filter: EventFilter,
    { limit }: PageRequest,
    place: Place | null,
    since: Date | null,
  ): Promise<LoggedEvent[]> {
    const narrowing = new Narrowing('events.page', [projectId, limit + 1]);
    const recent = narrowing.when(
      'since',
      since,
      (parameter) => `e.created_at >= ${parameter} AND e.occurred_at >= ${parameter}`,
    );
    const keysOfPage = isOfAll(filter)
      ? this.keysByKind(narrowing, filter, recent + narrowing.behind(order, place))
      : this.keysByCustomer(narrowing, filter, place);
    const text = `${keysOfPage}
      SELECT ${shown}
      FROM page
      CROSS JOIN LATERAL (
        SELECT * FROM events e
        WHERE e.project_id = $1 AND e.created_at = page.created_at AND e.id = page.id${recent} LIMIT 1) e
      ${ownerOf('e')}
      ORDER BY ${sorting}`;
    return this.database.forReading.query(narrowing.statement(text), narrowing.values);
  }

  /** The newest events of each requested kind, then the newest of those: the index lists each kind in this order. */
  private keysByKind(narrowing: Narrowing, filter: EventFilter, conditions: string): string {
    const { types, environment, appId } = filter;
    const wanted =
      narrowing.when('types', types, (parameter) => `k.type = ANY (${parameter}::text[])`) +
      narrowing.when('environment', environment, (parameter) => `k.environment = ${parameter}`) +
      narrowing.when('app', appId, (parameter) => `k.app_id = ${parameter}`);
    return `WITH page AS (
      SELECT e.* FROM event_kinds k CROSS JOIN LATERAL (
        SELECT ${keys} FROM events e
        WHERE e.project_id = $1 AND e.type = k.type AND ${environmentKey} = k.environment
          AND ${appKey} = k.app_id${conditions}
        ORDER BY ${sorting} LIMIT $2) e
      WHERE k.project_id = $1 AND ${isListed('k')}${wanted} ORDER BY ${sorting} LIMIT $2)`;
  }

  /** The events of one customer, or the newest events of all customers on a clock. */
  private keysByCustomer(narrowing: Narrowing, filter: EventFilter, place: Place | null): string {
    const { types, environment, appId, customer, testClockId } = filter;
    const conditions =
      narrowing.when('customer', customer, (parameter) => {
        const id = customerIdOf(parameter);
        return `(e.customer_id = ${id} OR e.other_customer_id = ${id})`;
      }) +
      narrowing.when('types', types, (parameter) => `e.type = ANY (${parameter}::text[])`) +
      narrowing.when('environment', environment, (parameter) => `e.environment = ${parameter}`) +
      narrowing.when('app', appId, (parameter) => `e.app_id = ${parameter}`) +
      narrowing.behind(order, place);
    const page = `SELECT ${keys} FROM events e WHERE e.project_id = $1`;
    const newest = `ORDER BY ${sorting} LIMIT $2`;
    if (testClockId === null) return `WITH page AS (${page}${conditions} ${newest})`;
    const ofClock = narrowing.when(
      'clock',
      testClockId,
      (parameter) => `c.id IN (${clockCustomers(parameter)})`,
    );
    return `WITH page AS (
      SELECT e.* FROM customers c CROSS JOIN LATERAL (${page} AND e.customer_id = c.id${conditions} ${newest}) e
      WHERE c.project_id = $1${ofClock} ${newest})`;
  }
}
