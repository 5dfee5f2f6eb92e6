import { Inject, Injectable } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { DatabaseService, type Transaction } from '../../platform/database/database.service.js';
import { LogService } from '../../platform/observability/log.service.js';
import { deriveReportRows } from './derive-report-rows.js';
import {
  type BuildPlace,
  type CatalogMark,
  CODE_VERSION,
  ReportProjectsRepository,
} from './report-projects.repository.js';
import { ReportRowsRepository } from './report-rows.repository.js';
import { ReportSourceRepository } from './report-source.repository.js';

/** Customers per transaction. */
const BATCH = 200;

/**
 * Turns marks into rows. Each batch is one transaction that locks the project's row, which also counts the changes: a
 * crash changes nothing, and any number of processes share the projects.
 */
@Injectable()
export class ReportRollupService {
  private readonly conflicts: Counter;

  constructor(
    private readonly projects: ReportProjectsRepository,
    private readonly source: ReportSourceRepository,
    private readonly rows: ReportRowsRepository,
    private readonly database: DatabaseService,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly log: LogService,
    registry: Registry,
  ) {
    this.conflicts = new Counter({
      name: 'tenure_report_conflicts_total',
      help: 'Report rows whose transaction id another purchase has too, so that a number was added to it.',
      registers: [registry],
    });
  }

  /** Does the next piece of some project's work. Returns false if none has work that no other worker does. */
  async batch(): Promise<boolean> {
    for (const projectId of await this.projects.due(new Date(this.clock.nowMs()))) {
      if (await this.lockedBatch(projectId)) return true;
    }
    return false;
  }

  /** Does the next piece of one project's work. Returns false if another worker has it, or its build has to wait. */
  async batchOf(projectId: string): Promise<boolean> {
    const place = await this.lockedBatch(projectId);
    return place !== null && (place.canBuild || !place.hasBarrier);
  }

  /** Returns the state before the batch; null if another worker has the project. */
  private lockedBatch(projectId: string): Promise<BuildPlace | null> {
    return this.database.transaction(async (tx) => {
      const place = await this.projects.lock(tx, projectId);
      if (place) await this.work(tx, projectId, { ...place });
      return place;
    });
  }

  private async work(tx: Transaction, projectId: string, place: BuildPlace): Promise<void> {
    if (place.codeVersion < CODE_VERSION) {
      await this.projects.startBuild(tx, projectId);
      place.builtUntil = '';
    }
    if (!place.hasBarrier) {
      await this.projects.setBarrier(tx, projectId);
      return;
    }
    const marked = await this.projects.takeMarks(tx, projectId, BATCH);
    await this.derive(tx, projectId, marked);
    if (await this.continueBuild(tx, projectId, place)) return;
    if (marked.length > 0 || (await this.continueCatalogMark(tx, projectId))) return;
    const now = new Date(this.clock.nowMs());
    await this.derive(tx, projectId, await this.projects.endedAccess(tx, projectId, now, BATCH));
  }

  /** Returns false if there is nothing to build. */
  private async continueBuild(tx: Transaction, projectId: string, place: BuildPlace): Promise<boolean> {
    const { builtUntil, canBuild } = place;
    if (builtUntil === null || !canBuild) return false;
    const next = await this.source.customersAfter(tx, projectId, builtUntil, BATCH);
    await this.derive(tx, projectId, next);
    await this.projects.moveBuild(tx, projectId, next.length < BATCH ? null : (next.at(-1) ?? null));
    return true;
  }

  /** Derives the next customers of the oldest change of the catalog. Returns false if there is none. */
  private async continueCatalogMark(tx: Transaction, projectId: string): Promise<boolean> {
    const mark = await this.projects.catalogMark(tx, projectId);
    if (!mark) return false;
    const next = await this.customersOfMark(tx, projectId, mark);
    await this.derive(tx, projectId, next);
    await this.projects.moveCatalogMark(
      tx,
      projectId,
      mark,
      next.length < BATCH ? null : (next.at(-1) ?? null),
    );
    return true;
  }

  private customersOfMark(tx: Transaction, projectId: string, mark: CatalogMark): Promise<string[]> {
    const { appId, storeIdentifier, entitlementId, doneUntil } = mark;
    if (entitlementId !== null)
      return this.source.granteesAfter(tx, projectId, entitlementId, doneUntil, BATCH);
    const product = { appId: appId ?? '', storeIdentifier: storeIdentifier ?? '' };
    return this.source.buyersAfter(tx, projectId, product, doneUntil, BATCH);
  }

  private async derive(tx: Transaction, projectId: string, customerIds: string[]): Promise<void> {
    if (customerIds.length === 0) return;
    const ids = await this.source.withNewOwners(tx, projectId, customerIds);
    const sources = await this.source.sourcesOf(tx, projectId, ids, this.clock.nowMs());
    const conflicts = await this.rows.save(tx, projectId, ids, sources.map(deriveReportRows));
    if (conflicts > 0) {
      tx.afterCommit(() => {
        this.conflicts.inc(conflicts);
        this.log.warn(
          { projectId, rows: conflicts },
          'purchases share a transaction id; reports number them',
        );
      });
    }
  }
}
