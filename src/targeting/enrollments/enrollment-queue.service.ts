import { Injectable } from '@nestjs/common';
import { within } from '../../../libs/kernel/index.js';
import type { Decision } from '../../../libs/targeting/index.js';
import { Batcher } from '../../platform/database/batcher.js';
import { LogService } from '../../platform/observability/log.service.js';
import { type Admission, EnrollmentsService } from './enrollments.service.js';

const MAX_WAITING = 1_000;
const MAX_WAIT_MS = 500;

/** Customers join experiments with the answer that shows them the variant first. */
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

  /** Too many wait to join: the next customers do not, until there is room. */
  get isFull(): boolean {
    return this.waiting >= MAX_WAITING;
  }

  /**
   * What the customer gets by the state under the lock, which is recorded if it is a variant. Null if it could not
   * be recorded in time: the next request of the customer records the same variant.
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
