import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/database.service.js';
import type { EventWrite } from './change-set.js';

/** What a higher area does about new events, in the transaction that records them; their customers are locked. */
export type EventsFollower = (
  tx: Transaction,
  projectId: string,
  events: readonly EventWrite[],
) => Promise<void>;

/** Where higher areas register what they do about new events. */
@Injectable()
export class RecordedEventsService {
  private readonly followers: EventsFollower[] = [];

  /** At start. */
  register(follower: EventsFollower): void {
    this.followers.push(follower);
  }

  async follow(tx: Transaction, projectId: string, events: readonly EventWrite[]): Promise<void> {
    if (events.length === 0) return;
    for (const follower of this.followers) await follower(tx, projectId, events);
  }
}
