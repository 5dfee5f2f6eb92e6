import { Injectable } from '@nestjs/common';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import type { Reader } from '../../platform/database/database.service.js';
import { lengthOfDuration } from './billing-length.js';
import type { MetricEnvironment, PlanKey } from './metric-periods.js';
import { bucketsOf, type DayFigures, movementsOfChanges, seriesOf, type Window } from './metric-series.js';
import { MetricsRepository } from './metrics.repository.js';
import { RollupRepository } from './rollup.repository.js';
import { soldProduct } from './sold-product.js';

interface SalesSeries {
  days: DayFigures[];
  /** Everything recorded until this time is included. */
  updatedAtMs: number;
}

/** Sales by day: the rollup plus changes that are not rolled up yet. */
@Injectable()
export class SalesSeriesService {
  constructor(
    private readonly repository: MetricsRepository,
    private readonly rollup: RollupRepository,
    private readonly catalogs: CatalogService,
  ) {}

  async series(
    snapshot: Reader,
    projectId: string,
    environment: MetricEnvironment,
    window: Window,
  ): Promise<SalesSeries> {
    const { changes, behindSinceMs, catalogVersion } = await this.rollup.tail(snapshot, projectId);
    const stored = await this.repository.buckets(snapshot, projectId, environment, window);
    const catalog = await this.catalogs.get(projectId, catalogVersion);
    const here = (period: { environment: MetricEnvironment }): boolean => period.environment === environment;
    const movements = movementsOfChanges({
      removed: changes.removed.filter(here),
      added: changes.added.filter(here),
    });
    const lengthOf = (plan: PlanKey): number => {
      const duration = soldProduct(catalog, plan)?.duration ?? null;
      return (duration === null ? null : lengthOfDuration(duration)) ?? plan.lengthUnits;
    };
    return {
      days: seriesOf([...stored, ...bucketsOf(movements, window)], window, lengthOf),
      updatedAtMs: Math.min(behindSinceMs ?? window.nowMs, window.nowMs),
    };
  }
}
