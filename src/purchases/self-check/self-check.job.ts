import { Inject, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Counter, Registry } from 'prom-client';
import type { Clock } from '../../../libs/kernel/index.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { LeasedWorkFactory } from '../../platform/jobs/leased-work.factory.js';
import { LeasedWorkJob } from '../../platform/jobs/leased-work.job.js';
import type { Lease, LeasedWork } from '../../platform/jobs/leased-work.js';
import { ListeningTimeService } from '../../platform/listening/listening-time.service.js';
import { LogService } from '../../platform/observability/log.service.js';
import { type Difference, differencesOf, isOnlyPutOff } from './differences.js';
import { type CheckedProject, SelfCheckRepository } from './self-check.repository.js';

const POLL_MS = 60_000;
const LEASE_MS = 60_000;
const EVERY_MS = 86_400_000;
/** Customers checked per project and day. Each day continues where the previous one stopped. */
const SAMPLE = 500;
const BATCH = 50;

const failedTo = {
  claim: 'projects to be checked could not be found; the next poll tries again',
  work: 'the check of a project was not recorded; it is done again when its lease ends',
  renew: 'leases of checked projects could not be renewed',
};

/** A difference is a bug in this server: it is counted and logged, not repaired. Late events are left to due work. */
@Injectable()
export class SelfCheckJob extends LeasedWorkJob<CheckedProject> {
  protected readonly leased: LeasedWork<CheckedProject>;
  private readonly counter: Counter;

  constructor(
    leasedWork: LeasedWorkFactory,
    private readonly repository: SelfCheckRepository,
    private readonly catalogs: CatalogService,
    private readonly listening: ListeningTimeService,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly log: LogService,
    registry: Registry,
  ) {
    super();
    this.leased = leasedWork.create<CheckedProject>({
      name: 'self_check',
      leaseMs: LEASE_MS,
      slots: { total: 1, perKey: 1 },
      keyOf: ({ projectId }) => projectId,
      claim: async (terms, { total }) => {
        const due = await repository.claim(terms, total);
        if (due.length > 0) return due;
        // Reads all projects, so it only runs when nothing else is due.
        await repository.register(terms.now, EVERY_MS);
        return repository.claim(terms, total);
      },
      work: (project, lease) => this.work(project, lease),
      renew: (held, terms) => repository.renew(held, terms),
      failedTo,
    });
    this.counter = new Counter({
      name: 'tenure_self_check_customers_total',
      help: 'Customers whose stored state was compared with their facts: same, different, or with events not yet emitted.',
      labelNames: ['result'],
      registers: [registry],
    });
    for (const result of ['same', 'different', 'put_off']) this.counter.inc({ result }, 0);
  }

  @Interval('self-check', POLL_MS)
  override wake(): void {
    super.wake();
  }

  private async work(project: CheckedProject, lease: Lease): Promise<void> {
    const { projectId } = project;
    const againAt = new Date(this.clock.nowMs() + EVERY_MS);
    try {
      await this.check(project);
    } catch (error) {
      this.log.error(
        { err: error, projectId },
        'customers of a project could not be compared with their facts',
      );
    }
    await lease.record((leaseUntil) => this.repository.dueAgain(projectId, leaseUntil, againAt));
  }

  private async check(project: CheckedProject): Promise<void> {
    const place = { ...project };
    for (let left = SAMPLE; left > 0 && !this.isStopping; left -= BATCH) {
      const ids = await this.repository.nextCustomerIds(place, BATCH);
      const found = await this.findDifferences(place.projectId, ids);
      this.counter.inc({ result: 'same' }, ids.length - found.size);
      for (const [customerId, differences] of found)
        await this.report(place.projectId, customerId, differences);
      const isLast = ids.length < BATCH;
      place.afterCustomerId = isLast ? '' : (ids.at(-1) as string);
      await this.repository.savePosition(place);
      if (isLast) return;
    }
  }

  /** By customer id. Differences are checked twice, because the catalog or a clock may briefly have been outdated. */
  async findDifferences(projectId: string, customerIds: string[]): Promise<Map<string, Difference[]>> {
    const first = await this.compare(projectId, customerIds);
    return first.size === 0 ? first : this.compare(projectId, [...first.keys()]);
  }

  private async compare(projectId: string, customerIds: string[]): Promise<Map<string, Difference[]>> {
    if (customerIds.length === 0) return new Map();
    const catalog = await this.catalogs.getCurrent(projectId);
    const customers = await this.repository.load(projectId, customerIds);
    const nowMs = this.clock.nowMs();
    const found = customers.map(
      (customer) =>
        [customer.id, differencesOf(customer, catalog, nowMs, this.listening.sinceMs(nowMs))] as const,
    );
    return new Map(found.filter(([, differences]) => differences.length > 0));
  }

  private async report(projectId: string, customerId: string, differences: Difference[]): Promise<void> {
    if (isOnlyPutOff(differences)) {
      this.counter.inc({ result: 'put_off' });
      const ids = differences.map(({ purchaseId }) => purchaseId);
      return this.repository.makeDue(projectId, ids, new Date(this.clock.nowMs()));
    }
    this.counter.inc({ result: 'different' });
    this.log.error(
      { projectId, customerId, differences },
      'the stored state of a customer differs from their facts',
    );
  }
}
