import { Inject, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { Clock } from '../../../../libs/kernel/index.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import { LeasedWorkFactory } from '../../../platform/jobs/leased-work.factory.js';
import { LeasedWorkJob } from '../../../platform/jobs/leased-work.job.js';
import { type Lease, type LeasedWork } from '../../../platform/jobs/leased-work.js';
import { LogService } from '../../../platform/observability/log.service.js';
import { ProjectPurgeRepository, type ProjectToPurge } from './project-purge.repository.js';

/** Longer than a batch can take, so an expired lease means that its process died. */
const LEASE_MS = 60_000;
const POLL_MS = 5_000;
const BATCH_ROWS = 1_000;
/** By then, every request that was running when the project was deleted has ended and written its rows. */
const SETTLED_AFTER_MS = 15 * 60_000;

const failedTo = {
  claim: 'deleted projects could not be found; the next poll tries again',
  work: 'a batch of a deleted project was not removed; it is tried again when its lease ends',
  renew: 'leases of deleted projects could not be renewed',
};

/**
 * Removes the rows of deleted projects in batches. Each batch has its own lease and transaction, so any process can
 * continue where another stopped, and a large project does not block others. The project's own row is deleted last.
 */
@Injectable()
export class ProjectPurgeJob extends LeasedWorkJob<ProjectToPurge> {
  protected readonly leased: LeasedWork<ProjectToPurge>;

  constructor(
    leasedWork: LeasedWorkFactory,
    private readonly repository: ProjectPurgeRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly log: LogService,
  ) {
    super();
    this.leased = leasedWork.create<ProjectToPurge>({
      name: 'project_purge',
      leaseMs: LEASE_MS,
      // One at a time: the work is not urgent and must not load the database.
      slots: { total: 1, perKey: 1 },
      keyOf: ({ projectId }) => projectId,
      claim: (terms, { total }) => repository.claim(terms, total),
      work: (project, lease) => this.removeBatch(project, lease),
      renew: (held, terms) => repository.renew(held, terms),
      failedTo,
    });
  }

  /** Polls immediately. Call it after committing a deletion. */
  @Interval('project-purge', POLL_MS)
  override wake(): void {
    super.wake();
  }

  private async removeBatch({ projectId, deletedAt }: ProjectToPurge, lease: Lease): Promise<void> {
    const found = await this.repository.deleteRows(projectId, BATCH_ROWS);
    await lease.record(async (leaseUntil) => {
      const now = new Date(this.clock.nowMs());
      const settledAt = new Date(deletedAt.getTime() + SETTLED_AFTER_MS);
      if (found > 0) return this.repository.dueAgain(projectId, leaseUntil, now);
      if (now < settledAt) return this.repository.dueAgain(projectId, leaseUntil, settledAt);
      await this.repository.remove(projectId, leaseUntil);
      this.log.info({ projectId }, 'a deleted project was purged completely');
    });
  }
}
