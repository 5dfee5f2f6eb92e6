import { Injectable } from '@nestjs/common';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import type { PreparedSnapshot } from '../../customers/customers/customer-info/snapshots.repository.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { ExchangeRatesService } from '../../platform/exchange-rates/exchange-rates.service.js';
import { ListeningTimeService } from '../../platform/listening/listening-time.service.js';
import { LastSeenRecorder } from '../../customers/customers/last-seen/last-seen.recorder.js';
import { DeliveryDispatcherService } from '../../webhooks/deliveries/delivery-dispatcher.service.js';
import { PurchaseCurrenciesService } from '../currencies/purchase-currencies.service.js';
import { StoreTasksService } from '../store-tasks/store-tasks.service.js';
import { ChangeBuilder, type FinishedChange } from './change-builder.js';
import type { EventWrite } from './change-set.js';
import { ChangesRepository } from './changes.repository.js';
import { EngineMetrics } from './engine.metrics.js';
import type { OutsidePurchase } from './outside-purchase.js';

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

/** A higher area's reaction to new events, in the transaction that records them. Their customers are locked. */
export type EventsFollower = (
  tx: Transaction,
  projectId: string,
  events: readonly EventWrite[],
) => Promise<void>;

/** Called with purchases outside an app store, in the transaction that records them. Their customers are locked. */
export type OutsideFollower = (
  tx: Transaction,
  projectId: string,
  purchases: readonly OutsidePurchase[],
  nowMs: number,
) => Promise<void>;

/** The only way to change purchases. Saves everything that a transaction collects in one statement. */
@Injectable()
export class PurchaseRecorder {
  private readonly followers: EventsFollower[] = [];
  private readonly outsideFollowers: OutsideFollower[] = [];

  constructor(
    private readonly rates: ExchangeRatesService,
    private readonly listening: ListeningTimeService,
    private readonly currencies: PurchaseCurrenciesService,
    private readonly storeTasks: StoreTasksService,
    private readonly changes: ChangesRepository,
    private readonly lastSeen: LastSeenRecorder,
    private readonly dispatcher: DeliveryDispatcherService,
    private readonly metrics: EngineMetrics,
  ) {}

  /** Call at startup. */
  followEvents(follower: EventsFollower): void {
    this.followers.push(follower);
  }

  /** Call at startup. */
  followOutside(follower: OutsideFollower): void {
    this.outsideFollowers.push(follower);
  }

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
    const { storeTasks, folded } = change;
    if (storeTasks.length > 0) await this.storeTasks.addIn(tx, projectId, storeTasks);
    if (change.unknownValues.length > 0) {
      tx.afterCommit(() => this.metrics.recordUnknown(catalog, change.unknownValues));
    }
    await this.changes.fold(tx, projectId, folded);
    await this.changes.addCancellations(tx, projectId, change.cancellations);
    const outside = async (): Promise<void> => {
      if (change.outside.length === 0) return;
      for (const follower of this.outsideFollowers) await follower(tx, projectId, change.outside, nowMs);
    };
    if (change.isEmpty) {
      await outside();
      return { result, answers: new Map(), events: [] };
    }
    const revoked = await this.currencies.record(tx, projectId, change.currencies, change.customers, nowMs);
    const finished = change.finish(nowMs, new Set(seenCustomerIds), revoked);
    const { events } = finished.changes;
    await this.save(tx, projectId, finished, nowMs, maxEventsPerSecond);
    await this.dispatcher.attributesArrived(tx, projectId, change.arrivedAttributes, nowMs);
    // An import's events are historical.
    if (maxEventsPerSecond === undefined && events.length > 0) {
      for (const follower of this.followers) await follower(tx, projectId, events);
    }
    await outside();
    return { result, answers: finished.snapshots, events };
  }

  private async save(
    tx: Transaction,
    projectId: string,
    { changes, lastSeenUpdates, unknownProducts }: FinishedChange,
    nowMs: number,
    maxEventsPerSecond?: number,
  ): Promise<void> {
    const hasEvents = changes.events.length > 0;
    const startedAt = performance.now();
    const deliveries = await this.changes.save(tx, projectId, changes, nowMs);
    if (maxEventsPerSecond !== undefined && hasEvents) {
      await this.dispatcher.pace(tx, projectId, changes.events, maxEventsPerSecond, nowMs);
    }
    const durationMs = performance.now() - startedAt;
    tx.afterCommit(() => {
      this.metrics.committed(changes, durationMs, unknownProducts);
      for (const { customerId, lastSeenAtMs } of lastSeenUpdates) {
        this.lastSeen.recordDay(projectId, customerId, lastSeenAtMs, nowMs);
      }
      if (deliveries > 0) this.dispatcher.wake({ projectId });
    });
  }
}
