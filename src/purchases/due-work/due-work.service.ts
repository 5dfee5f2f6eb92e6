import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { isRetryable } from '../../platform/database/database-errors.js';
import { LogService } from '../../platform/observability/log.service.js';
import { DueSubscriptionsService } from './due-subscriptions.service.js';
import { type Claim, DueWorkRepository } from './due-work.repository.js';
import { AHEAD_MS, type Poll, PROJECTS_PER_POLL, type BatchResult } from './project-poller.js';

/** Delay of a customer's work after an error. */
const TRY_AGAIN_MS = 10 * 60_000;

export interface DueWorkDone extends BatchResult {
  /** Number of updated subscriptions. */
  done: number;
  /** Customers whose subscriptions were postponed. */
  failed: number;
}

/** Applies the effects of time (expirations, pauses, Test Store renewals) through the engine, exactly once. */
@Injectable()
export class DueWorkService {
  constructor(
    private readonly repository: DueWorkRepository,
    private readonly catalogs: CatalogService,
    private readonly subscriptions: DueSubscriptionsService,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly log: LogService,
  ) {}

  nextProjects(after: string): Promise<Poll> {
    return this.repository.poll(new Date(this.clock.nowMs() + AHEAD_MS), after, PROJECTS_PER_POLL);
  }

  /** Processes one batch in one transaction. If that fails, retries each customer separately and postpones failures. */
  async doSome(projectId: string, sinceMs: number): Promise<DueWorkDone> {
    const nowMs = this.clock.nowMs();
    const soon = new Date(nowMs + AHEAD_MS);
    const dueAtMs = await this.repository.firstDue(projectId, new Date(sinceMs), soon);
    // Another process may have processed it.
    if (dueAtMs === null || dueAtMs > nowMs) return { done: 0, failed: 0, isUnfinished: false, dueAtMs };
    // Before the transaction: loading the catalog needs its own connection.
    const catalog = await this.catalogs.get(projectId);
    const due = { since: new Date(dueAtMs), now: new Date(nowMs) };
    let claimed: Claim = { customerIds: [], isFull: false, areSomeHeld: false };
    let result = { done: 0, failed: 0, isOver: true };
    try {
      result.done = await this.subscriptions.passTime(catalog, async (tx) => {
        claimed = await this.repository.claim(tx, projectId, due);
        return claimed.customerIds;
      });
    } catch (error) {
      if (isRetryable(error) || claimed.customerIds.length === 0) throw error;
      this.log.warn({ err: error, projectId }, 'due work of a batch failed; each customer is tried alone');
      result = await this.oneByOne(catalog, claimed.customerIds);
    }
    const { done, failed, isOver } = result;
    const isUnfinished = isOver && claimed.isFull;
    // Anything that became due in the meantime is later than `now`.
    const isAllDone = isOver && !claimed.isFull && !claimed.areSomeHeld;
    return { done, failed, isUnfinished, dueAtMs: isAllDone ? nowMs : dueAtMs };
  }

  /** `isOver`: no retryable error ended it early. */
  private async oneByOne(catalog: Catalog, customerIds: string[]) {
    const { projectId } = catalog;
    const result = { done: 0, failed: 0, isOver: true };
    for (const customerId of customerIds) {
      try {
        result.done += await this.subscriptions.passTime(catalog, (tx) =>
          this.repository.lockOne(tx, projectId, customerId),
        );
      } catch (error) {
        if (isRetryable(error)) {
          this.log.warn({ err: error, projectId }, 'due work of a project stopped early; it is retried');
          return { ...result, isOver: false };
        }
        result.failed += 1;
        this.log.error(
          { err: error, projectId, customerId },
          'due work of a customer failed; it is postponed',
        );
        const nowMs = this.clock.nowMs();
        await this.repository.postpone(
          projectId,
          customerId,
          new Date(nowMs),
          new Date(nowMs + TRY_AGAIN_MS),
        );
      }
    }
    return result;
  }
}
