import { Injectable } from '@nestjs/common';
import { Batcher } from '../../platform/database/batcher.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { type ReceivedEvent, SdkEventsRepository } from './sdk-events.repository.js';

const MAX_TOGETHER = 500;
/** Events that this process has not stored yet. */
const MAX_WAITING = 5_000;

/** Thrown if events come faster than they can be stored. */
export class TooManyWaiting extends Error {}

/**
 * Writes events of SDKs. Those that arrive while a batch is written are written together by the next one, on one
 * connection, so that floods of events take little from other requests.
 */
@Injectable()
export class SdkEventWritesService {
  private readonly batches: Batcher<ReceivedEvent, undefined>;
  private waiting = 0;

  constructor(database: DatabaseService, repository: SdkEventsRepository) {
    this.batches = new Batcher(
      async (events) => {
        const [{ projectId }] = events as [ReceivedEvent];
        await database.transaction((tx) => repository.store(tx, projectId, events));
        return events.map(() => undefined);
      },
      { maxRunning: 1, maxItems: MAX_TOGETHER, groupOf: ({ projectId }) => projectId },
    );
  }

  /** Returns after the commit. @throws TooManyWaiting */
  async store(events: readonly ReceivedEvent[]): Promise<void> {
    if (this.waiting + events.length > MAX_WAITING) throw new TooManyWaiting();
    this.waiting += events.length;
    try {
      await Promise.all(events.map((event) => this.batches.submit(event)));
    } finally {
      this.waiting -= events.length;
    }
  }
}
