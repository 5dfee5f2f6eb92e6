import { Injectable } from '@nestjs/common';
import { Counter, Histogram, Registry } from 'prom-client';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import { UnknownValuesService } from '../unknown-values/unknown-values.service.js';
import type { UnknownValueOfApp } from './change-builder.js';
import type { ChangeSet } from './change-set.js';

@Injectable()
export class EngineMetrics {
  private readonly events: Counter;
  private readonly unknownProducts: Counter;
  private readonly writes: Histogram;

  constructor(
    registry: Registry,
    private readonly unknownValues: UnknownValuesService,
  ) {
    this.events = new Counter({
      name: 'tenure_engine_events_total',
      help: 'Events emitted by committed changes of purchases and customers.',
      labelNames: ['type'],
      registers: [registry],
    });
    this.unknownProducts = new Counter({
      name: 'tenure_unknown_product_purchases_total',
      help: 'Purchases recorded for the first time whose product the catalog lacks; setup health names the products.',
      labelNames: ['store'],
      registers: [registry],
    });
    this.writes = new Histogram({
      name: 'tenure_engine_change_duration_seconds',
      help: 'Writing one change: state, money, events and deliveries; committed changes only.',
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1],
      registers: [registry],
    });
  }

  committed({ events }: ChangeSet, durationMs: number, unknownProducts: readonly string[]): void {
    this.writes.observe(durationMs / 1000);
    for (const { type } of events) this.events.inc({ type });
    for (const store of unknownProducts) this.unknownProducts.inc({ store });
  }

  recordUnknown({ projectId, apps }: Catalog, values: readonly UnknownValueOfApp[]): void {
    for (const { appId: id, value } of values) {
      const type = apps.get(id)?.type;
      if (type) this.unknownValues.record({ projectId, id, type }, [value]);
    }
  }
}
