import { Injectable } from '@nestjs/common';
import { CustomersQueryService } from '../../customers/customers/identity/customers-query.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { startOf } from '../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import { type EventFilter, EventLogRepository, type LoggedEvent } from './event-log.repository.js';
import { eventPlaceKinds } from './event-place.js';
import {
  type EventContent,
  type EventCustomers,
  type EventRow,
  type EventSpan,
  EventsRepository,
} from './events.repository.js';

@Injectable()
export class EventsService {
  constructor(
    private readonly log: EventLogRepository,
    private readonly events: EventsRepository,
    private readonly customers: CustomersQueryService,
  ) {}

  /** @throws ApiError 404 */
  async get(projectId: string, id: string): Promise<LoggedEvent> {
    const event = await this.log.find(projectId, id);
    if (!event) throw ApiError.missing('event', id);
    return event;
  }

  /** Up to `limit + 1` events of a project, newest first. @throws ApiError 400 for a cursor of another list */
  async page(projectId: string, filter: EventFilter, page: PageRequest): Promise<LoggedEvent[]> {
    const place = await startOf(page.after, eventPlaceKinds, (id) => this.log.placeOf(projectId, filter, id));
    return this.log.page(projectId, filter, page, place);
  }

  /** Null if the event has been deleted. */
  customersOf(projectId: string, createdAt: Date, id: string): Promise<EventCustomers | null> {
    return this.events.customersOf(projectId, createdAt, id);
  }

  /** Null if it does not exist, or is a message to one channel. */
  content(projectId: string, id: string): Promise<EventContent | null> {
    return this.events.content(projectId, id);
  }

  /** Number of periods that customers of an app paid for in production between two times; counts up to `atMost`. */
  countPayments(app: { projectId: string; appId: string }, span: EventSpan, atMost: number): Promise<number> {
    return this.events.countPayments(app, span, atMost);
  }

  /** Up to `limit + 1`, newest first. @throws ApiError 404 for an unknown customer, 400 for a cursor of another list */
  async ofCustomer(
    projectId: string,
    appUserId: string,
    environment: string | null,
    page: PageRequest,
  ): Promise<EventRow[]> {
    const { id } = await this.customers.get(projectId, appUserId);
    const after = await startOf(page.after, eventPlaceKinds, (eventId) =>
      this.events.placeOf(projectId, id, eventId),
    );
    return this.events.ofCustomer(projectId, id, environment, page, after);
  }
}
