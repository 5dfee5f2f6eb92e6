import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { AuditLogService } from '../../platform/audit/audit-log.service.js';
import { systemChange } from '../../platform/audit/project-write.js';
import { DatabaseService, type Transaction } from '../../platform/database/database.service.js';
import { LeasedWorkFactory } from '../../platform/jobs/leased-work.factory.js';
import { LeasedWorkJob } from '../../platform/jobs/leased-work.job.js';
import type { LeasedWork } from '../../platform/jobs/leased-work.js';
import { type ClaimedErasure, type Erased, ErasureRepository, sumOf } from './erasure.repository.js';

/** Maximum number of rows of a kind removed in one transaction, so that locks are short. */
export const ERASURE_BATCH = 1_000;
/** Longer than a batch can take. */
const LEASE_MS = 60_000;
/** If the deleting process runs no jobs, the next poll of another one continues. */
const POLL_MS = 2_000;

const failedTo = {
  claim: 'deleted customers could not be found; the next poll tries again',
  work: 'the rest of a deleted customer could not be removed yet; it is tried again when its lease ends',
  renew: 'leases of deleted customers could not be renewed',
};

/**
 * Removes rows that deletions of customers leave for later, mainly long histories. Each batch has its own lease and
 * transaction, so any process can continue where another stopped.
 */
@Injectable()
export class ErasureJob extends LeasedWorkJob<ClaimedErasure> {
  protected readonly leased: LeasedWork<ClaimedErasure>;

  constructor(
    leasedWork: LeasedWorkFactory,
    private readonly repository: ErasureRepository,
    private readonly audit: AuditLogService,
    private readonly database: DatabaseService,
  ) {
    super();
    this.leased = leasedWork.create<ClaimedErasure>({
      name: 'erasures',
      leaseMs: LEASE_MS,
      slots: { total: 1, perKey: 1 },
      keyOf: ({ projectId }) => projectId,
      claim: (terms, { total }) => repository.claim(terms, total),
      work: (erasure, lease) => lease.record((leaseUntil) => this.removeBatch(erasure, leaseUntil)),
      renew: (held, terms) => repository.renew(held, terms),
      failedTo,
    });
  }

  /** Polls at once after a deletion. Call after the commit. */
  @Interval('erasures', POLL_MS)
  override wake(): void {
    super.wake();
  }

  private async removeBatch(erasure: ClaimedErasure, leaseUntil: Date): Promise<void> {
    const isComplete = await this.database.transaction(async (tx) => {
      const before = await this.repository.hold(tx, erasure, leaseUntil);
      if (before === null) return true;
      const rest = await this.repository.eraseRest(tx, erasure, ERASURE_BATCH);
      const erased = sumOf(before, rest.erased);
      if (rest.isComplete) await this.finish(tx, erasure, erased);
      else await this.repository.recordErased(tx, erasure, erased);
      return rest.isComplete;
    });
    if (!isComplete) this.wake();
  }

  private async finish(tx: Transaction, erasure: ClaimedErasure, erased: Erased): Promise<void> {
    const { projectId, appUserId } = erasure;
    await this.repository.finish(tx, erasure);
    if (appUserId === null) return;
    const write = { ...systemChange, projectId };
    const data = { erased };
    await this.audit.record(tx, write, { action: 'erased', target: 'customer', targetId: appUserId, data });
  }
}
