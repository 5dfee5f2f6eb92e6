import { setTimeout } from 'node:timers/promises';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  type CatalogChange,
  CatalogChanges,
  type ChangedProduct,
} from '../../catalog/shared/catalog-changes.service.js';
import { ProjectDeletions } from '../../workspace/projects/project-deletions.service.js';
import type { Executor, Reader, Transaction } from '../../platform/database/database.service.js';
import { ReportProjectsRepository, type ReportStatus } from './report-projects.repository.js';
import { ReportRollupService } from './report-rollup.service.js';

export type { ReportStatus } from './report-projects.repository.js';

const POLL_MS = 200;

/** Products whose buyers' rows change. */
function changedProducts(change: CatalogChange): readonly ChangedProduct[] {
  if (change.kind === 'attachments') return change.products;
  if (change.kind !== 'products') return [];
  return change.products.flatMap(({ before, after }) => {
    const isChanged =
      before?.type !== after?.type ||
      before?.displayName !== after?.displayName ||
      before?.duration !== after?.duration;
    return isChanged ? (after ?? before ?? []) : [];
  });
}

const noRows: ReportStatus = { isBuilt: false, seq: 0, dataUntilMs: 0, codeVersion: 0 };

/** The rows of data sets that follow changes. A project has them once something reads them. */
@Injectable()
export class ReportRowsService implements OnModuleInit {
  constructor(
    private readonly projects: ReportProjectsRepository,
    private readonly rollup: ReportRollupService,
    private readonly catalogChanges: CatalogChanges,
    private readonly deletions: ProjectDeletions,
  ) {}

  onModuleInit(): void {
    this.catalogChanges.register((tx, projectId, change) => this.mark(tx, projectId, change));
    this.deletions.register((tx, projectId) => this.projects.disableDeleted(tx, projectId));
  }

  /** Starts the first build, and ends the time during which the rows count as unused. Idempotent. */
  enable(tx: Executor, projectId: string): Promise<void> {
    return this.projects.enable(tx, projectId);
  }

  /** In the snapshot of the reader. */
  async status(reader: Reader, projectId: string): Promise<ReportStatus> {
    return (await this.projects.status(reader, projectId)) ?? noRows;
  }

  /** Derives all rows again, in the background. Returns false if the project has none. */
  rebuild(projectId: string): Promise<boolean> {
    return this.projects.requestBuild(projectId);
  }

  /**
   * Works on a requested build until it is complete. Waits up to `patienceMs` for another worker that has the project,
   * and for transactions that began before the build. Returns whether it is complete.
   */
  async completeBuild(projectId: string, patienceMs = 0): Promise<boolean> {
    const untilMs = performance.now() + patienceMs;
    while (await this.projects.isBuilding(projectId)) {
      if (await this.rollup.batchOf(projectId)) continue;
      if (performance.now() >= untilMs) return false;
      await setTimeout(POLL_MS);
    }
    return true;
  }

  private async mark(tx: Transaction, projectId: string, change: CatalogChange): Promise<void> {
    if (change.kind === 'entitlement_deleted')
      await this.projects.markEntitlement(tx, projectId, change.entitlementId);
    const products = changedProducts(change);
    if (products.length > 0) await this.projects.markProducts(tx, projectId, products);
  }
}
