import { Injectable } from '@nestjs/common';
import { within } from '../../../libs/kernel/index.js';
import type { Decision } from '../../../libs/targeting/index.js';
import { Batcher } from '../../platform/database/batcher.js';
import { LogService } from '../../platform/observability/log.service.js';
import { type Admission, EnrollmentsService } from './enrollments.service.js';

const MAX_WAITING = 1_000;
const MAX_WAIT_MS = 500;

/** Enrolls customers when a response first shows them a variant. */
@Injectable()
export class EnrollmentQueueService {
  private readonly batches: Batcher<Admission, Decision>;
  private waiting = 0;

  constructor(
    enrollments: EnrollmentsService,
    private readonly log: LogService,
  ) {
    this.batches = new Batcher((items) => enrollments.joinAll(items), {
      maxRunning: 2,
      maxItems: 64,
      groupOf: ({ catalog }) => catalog.projectId,
    });
  }

  /** True if too many customers are waiting: until there is room, further ones are not enrolled. */
  get isFull(): boolean {
    return this.waiting >= MAX_WAITING;
  }

  /**
   * Returns the decision for the customer's state under the lock; a variant is recorded. Null if it could not be
   * recorded in time: the customer's next request records the same variant.
   */
  async join(admission: Admission): Promise<Decision | null> {
    this.waiting += 1;
    const joined = this.batches
      .submit(admission)
      .catch((error: unknown) => {
        this.log.warn(
          { err: error },
          'customers could not join an experiment; their next requests try again',
        );
        return null;
      })
      .finally(() => (this.waiting -= 1));
    return within(joined, MAX_WAIT_MS, null);
  }
}
