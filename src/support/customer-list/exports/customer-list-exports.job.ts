import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Inject, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { Clock } from '../../../../libs/kernel/index.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import { isGivenUp } from '../../../platform/database/database-errors.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';
import { type RawQuery, readQuery } from '../../../platform/http/lists/query-parameters.js';
import { LeasedWorkFactory } from '../../../platform/jobs/leased-work.factory.js';
import { LeasedWorkJob } from '../../../platform/jobs/leased-work.job.js';
import type { Lease, LeasedWork } from '../../../platform/jobs/leased-work.js';
import { CustomerFiltersQuery } from '../customer-filters.query.js';
import { customerLines } from '../customer-lines.js';
import { CustomerListService } from '../customer-list.service.js';
import type { ListScope } from '../listed-customers.repository.js';
import type { ExportFailure } from './customer-list-export.entity.js';
import { CustomerListExportsRepository, type RunningExport } from './customer-list-exports.repository.js';
import { EXPORT_LIFETIME_MS, EXPORT_WINDOW, MAX_EXPORT_BYTES, MAX_EXPORT_ROWS } from './export-limits.js';

const POLL_MS = 2_000;
const LEASE_MS = 30_000;
const SLOTS = { total: 2, perKey: 1 };

const failedTo = {
  claim: 'exports of customers could not be claimed; the next poll tries again',
  work: 'an export of customers stopped; it continues when its lease ends',
  renew: 'leases of exports of customers could not be renewed',
};

const compress = promisify(gzip);

/** Writes exports piece by piece. Each piece commits together with its position, so any process can continue. */
@Injectable()
export class CustomerListExportsJob extends LeasedWorkJob<RunningExport> {
  protected readonly leased: LeasedWork<RunningExport>;

  constructor(
    leasedWork: LeasedWorkFactory,
    private readonly repository: CustomerListExportsRepository,
    private readonly lists: CustomerListService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    super();
    this.leased = leasedWork.create<RunningExport>({
      name: 'customer_list_exports',
      leaseMs: LEASE_MS,
      slots: SLOTS,
      keyOf: ({ projectId }) => projectId,
      claim: (terms, free) => repository.claim(terms, free),
      work: (running, lease) => this.work(running, lease),
      renew: (held, terms) => repository.renew(held, terms),
      failedTo,
    });
  }

  /** Polls at once after an export was created. Call after the commit. */
  @Interval('customer-list-exports', POLL_MS)
  override wake(): void {
    super.wake();
  }

  private async work(running: RunningExport, lease: Lease): Promise<void> {
    try {
      await this.write(running);
    } catch (error) {
      if (!(error instanceof ApiError && error.kind === 'missing')) throw error;
      await this.end(running, 'filters_outdated');
    }
    await lease.record((leaseUntil) => this.repository.release(running, leaseUntil));
  }

  /** Continues where the file ends, until it is complete or the process stops. */
  private async write(running: RunningExport): Promise<void> {
    const { projectId, filters } = running;
    const scope = await this.lists.open(projectId, readQuery(CustomerFiltersQuery, filters as RawQuery));
    if (running.totalRows === null && !(await this.count(running, scope))) return;
    for (let written = running; !this.isStopping;) {
      const window = { after: written.afterCustomerId, size: EXPORT_WINDOW };
      const { customers, end } = await this.lists.window(projectId, scope, window);
      const rows = customers.length;
      const content = rows === 0 ? null : await compress(customerLines(projectId, customers));
      const writtenRows = written.writtenRows + rows;
      const bytes = written.bytes + (content?.length ?? 0);
      if (writtenRows > MAX_EXPORT_ROWS || bytes > MAX_EXPORT_BYTES) return this.end(written, 'too_large');
      const afterCustomerId = end ?? customers.at(-1)?.row.customerId ?? written.afterCustomerId;
      const next = { ...written, afterCustomerId, writtenRows, bytes };
      if (!(await this.repository.append(written, next, content))) return;
      if (end === null) return this.end(next, null);
      written = next;
    }
  }

  /** Returns false if the list is too long. */
  private async count(running: RunningExport, scope: ListScope): Promise<boolean> {
    try {
      const total = await this.lists.countAll(running.projectId, scope, MAX_EXPORT_ROWS + 1);
      await this.repository.setTotal(running, total);
      if (total <= MAX_EXPORT_ROWS) return true;
    } catch (error) {
      // Progress without a total is better than no export.
      if (isGivenUp(error)) return true;
      throw error;
    }
    await this.end(running, 'too_large');
    return false;
  }

  private end(running: RunningExport, failure: ExportFailure | null): Promise<void> {
    const nowMs = this.clock.nowMs();
    return this.repository.finish(running, failure, {
      at: new Date(nowMs),
      expiresAt: new Date(nowMs + EXPORT_LIFETIME_MS),
    });
  }
}
