import { Inject, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { Clock } from '../../../../libs/kernel/index.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import { DatabaseService } from '../../../platform/database/database.service.js';
import { jobName, runRound } from '../../../platform/jobs/job-events.js';
import { LogService } from '../../../platform/observability/log.service.js';
import { PurchaseLookupsService } from '../../../purchases/lookups/purchase-lookups.service.js';
import { outcomeAt } from './retention-outcome.policy.js';
import { RetentionRequestsRepository } from './retention-requests.repository.js';

const OUTCOMES = jobName('retention_outcomes');
const MINUTE_MS = 60_000;
const BATCH = 100;

/** Records what became of the subscriptions that Apple asked about. Replicas share the work. */
@Injectable()
export class RetentionOutcomesJob {
  constructor(
    private readonly repository: RetentionRequestsRepository,
    private readonly lookups: PurchaseLookupsService,
    private readonly database: DatabaseService,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly log: LogService,
  ) {}

  @Interval('retention-outcomes', 10 * MINUTE_MS)
  run(): Promise<void> {
    return runRound(
      OUTCOMES,
      () => this.recordDue(),
      (error) =>
        this.log.warn(
          { err: error },
          'outcomes of retention messages were not recorded; retrying in 10 minutes',
        ),
    );
  }

  private async recordDue(): Promise<void> {
    const now = new Date(this.clock.nowMs());
    for (;;) {
      const projects = await this.repository.dueProjects(now, BATCH);
      let recorded = 0;
      for (const projectId of projects) recorded += await this.recordBatch(projectId, now);
      // Another replica holds what is left.
      if (recorded === 0) return;
    }
  }

  /** Returns the number of requests. */
  private recordBatch(projectId: string, now: Date): Promise<number> {
    return this.database.transaction(async (tx) => {
      const due = await this.repository.claimDue(tx, projectId, now, BATCH);
      const ids = due.flatMap(({ subscriptionId }) => subscriptionId ?? []);
      const states = await this.lookups.subscriptionStates(tx, projectId, ids);
      for (const request of due) {
        const state = states.get(request.subscriptionId ?? '') ?? null;
        const outcome = outcomeAt(request, state, now.getTime());
        await this.repository.recordOutcome(tx, { projectId, ...request }, outcome);
      }
      return due.length;
    });
  }
}
