import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { ListeningTimeService } from '../../platform/listening/listening-time.service.js';
import { type Difference, differencesOf } from './differences.js';
import { SelfCheckRepository } from './self-check.repository.js';

@Injectable()
export class FactsComparisonService {
  constructor(
    private readonly repository: SelfCheckRepository,
    private readonly catalogs: CatalogService,
    private readonly listening: ListeningTimeService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** By customer id. Differences are checked twice, because the catalog or a clock may briefly have been outdated. */
  async differing(projectId: string, customerIds: string[]): Promise<Map<string, Difference[]>> {
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
}
