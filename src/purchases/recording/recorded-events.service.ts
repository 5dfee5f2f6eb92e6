import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/database.service.js';
import type { EventWrite } from './change-set.js';

/** A higher area's reaction to new events, in the transaction that records them. Their customers are locked. */
export type EventsFollower = (
  tx: Transaction,
  projectId: string,
  events: readonly EventWrite[],
) => Promise<void>;

/** Registry of higher areas' reactions to new events. */
@Injectable()
export class RecordedEventsService {
  private readonly followers: EventsFollower[] = [];

  /** Call at startup. */
  register(follower: EventsFollower): void {
    this.followers.push(follower);
  }

  async follow(tx: Transaction, projectId: string, events: readonly EventWrite[]): Promise<void> {
    if (events.length === 0) return;
    for (const follower of this.followers) await follower(tx, projectId, events);
  }
}
