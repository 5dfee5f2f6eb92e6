import { Injectable } from '@nestjs/common';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import type { PreparedSnapshot } from '../../customers/customers/customer-info/snapshots.repository.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { ExchangeRatesService } from '../../platform/exchange-rates/exchange-rates.service.js';
import { ListeningTimeService } from '../../platform/listening/listening-time.service.js';
import { ChangeBuilder } from './change-builder.js';
import type { EventWrite } from './change-set.js';
import { ChangeWriterService } from './change-writer.service.js';
import { PurchaseCurrenciesService } from '../currencies/purchase-currencies.service.js';
import { RecordedEventsService } from './recorded-events.service.js';

export interface ChangeScope {
  catalog: Catalog;
  /** Time read while the locks are held. */
  nowMs: number;
  /** Customers who made the request themselves, not through a backend. */
  seenCustomerIds?: string[];
  /** If false, each customer's SDK answer is prepared on their next read. */
  preparesAnswers?: boolean;
  /** Limit for each webhook. Default: none. */
  maxEventsPerSecond?: number;
}

export interface SavedChange<Result> {
  result: Result;
  /** The new answers by customer id. */
  answers: Map<string, PreparedSnapshot>;
  events: EventWrite[];
}

/** The only way to change purchases. Saves everything that a transaction collects in one statement. */
@Injectable()
export class PurchaseRecorder {
  constructor(
    private readonly rates: ExchangeRatesService,
    private readonly listening: ListeningTimeService,
    private readonly currencies: PurchaseCurrenciesService,
    private readonly writer: ChangeWriterService,
    private readonly recorded: RecordedEventsService,
  ) {}

  /** `collect` adds to the change. Every customer that it adds must be locked. */
  async record<Result>(
    tx: Transaction,
    { catalog, nowMs, seenCustomerIds = [], preparesAnswers = true, maxEventsPerSecond }: ChangeScope,
    collect: (change: ChangeBuilder) => Result | Promise<Result>,
  ): Promise<SavedChange<Result>> {
    const { projectId } = catalog;
    const change = new ChangeBuilder({
      catalog,
      nowMs,
      toUsd: this.rates.toUsd,
      listeningSinceMs: (atMs) => this.listening.sinceMs(atMs),
      preparesAnswers,
    });
    const result = await collect(change);
    await this.writer.addStoreTasks(tx, projectId, change.acknowledgements);
    await this.writer.fold(tx, projectId, change.folded);
    if (change.isEmpty) return { result, answers: new Map(), events: [] };
    const moved = await this.currencies.settle(tx, projectId, change, nowMs);
    const finished = change.finish(nowMs, new Set(seenCustomerIds), moved);
    await this.writer.save(tx, projectId, finished, nowMs, maxEventsPerSecond);
    // An import's events are historical.
    if (maxEventsPerSecond === undefined) await this.recorded.follow(tx, projectId, finished.changes.events);
    return { result, answers: finished.snapshots, events: finished.changes.events };
  }
}
