import { Injectable } from '@nestjs/common';
import {
  DatabaseService,
  type Executor,
  type Reader,
  type Transaction,
} from '../../platform/database/database.service.js';
import {
  catalogMark,
  deleteSome,
  disable,
  disableDeleted,
  dueProjects,
  enable,
  enabledProjects,
  endBuild,
  endCatalogMark,
  endedAccess,
  findUse,
  isBuilding,
  lockDisabled,
  lockProject,
  markEntitlement,
  markProducts,
  moveBuild,
  moveCatalogMark,
  noteDeleted,
  requestBuild,
  setBarrier,
  setUnused,
  setUsed,
  startBuild,
  status,
  takeMarks,
  waiting,
} from './report-projects.sql.js';
import { deleteOldDeletions } from './report-rows.sql.js';

/** Increases with every change of the derivation that changes rows. They are then built again. */
export const CODE_VERSION = 1;

/** Progress of a project's rows. */
export interface BuildPlace {
  /** Customers up to this id are built; null if all are. */
  builtUntil: string | null;
  hasBarrier: boolean;
  canBuild: boolean;
  codeVersion: number;
}

export interface ReportStatus {
  /** All rows have been built once. */
  isBuilt: boolean;
  /** Every row with at most this number is visible, and no other. */
  seq: number;
  /** All changes until then are included. */
  dataUntilMs: number;
  /** After a change, rows may have changed that no incremental read shows in one piece. */
  codeVersion: number;
}

export interface CatalogMark {
  id: number;
  appId: string | null;
  storeIdentifier: string | null;
  entitlementId: string | null;
  doneUntil: string;
}

export interface UsedProject {
  projectId: string;
  enabled: boolean;
  /** Unused for so long that its rows are deleted. */
  isAbandoned: boolean;
}

interface Named {
  id: string;
}

/** Projects with report rows, and the marks of what changed in them. */
@Injectable()
export class ReportProjectsRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Returns projects with work, some of which another worker may have locked. */
  async due(now: Date): Promise<string[]> {
    const rows = await this.database.query<{ projectId: string }>(dueProjects, [CODE_VERSION, now]);
    return rows.map(({ projectId }) => projectId);
  }

  /** Locks a project until the transaction ends. Returns null if another worker has the project, or it is not enabled. */
  async lock(tx: Transaction, projectId: string): Promise<BuildPlace | null> {
    return (await tx.query<BuildPlace>(lockProject, [projectId, CODE_VERSION]))[0] ?? null;
  }

  async setBarrier(tx: Transaction, projectId: string): Promise<void> {
    await tx.query(setBarrier, [projectId]);
  }

  async startBuild(tx: Transaction, projectId: string): Promise<void> {
    await tx.query(startBuild, [projectId, CODE_VERSION]);
  }

  /** Completes the build if `until` is null. */
  async moveBuild(tx: Transaction, projectId: string, until: string | null): Promise<void> {
    if (until === null) await tx.query(endBuild, [projectId]);
    else await tx.query(moveBuild, [projectId, until]);
  }

  /** Deletes up to `limit` marks of customers and returns the customers. */
  async takeMarks(tx: Transaction, projectId: string, limit: number): Promise<string[]> {
    return (await tx.query<Named>(takeMarks, [projectId, limit])).map(({ id }) => id);
  }

  async catalogMark(tx: Transaction, projectId: string): Promise<CatalogMark | null> {
    return (await tx.query<CatalogMark>(catalogMark, [projectId]))[0] ?? null;
  }

  async markProducts(
    tx: Transaction,
    projectId: string,
    products: readonly { appId: string; storeIdentifier: string }[],
  ): Promise<void> {
    await tx.query(markProducts, [
      projectId,
      products.map(({ appId }) => appId),
      products.map(({ storeIdentifier }) => storeIdentifier),
    ]);
  }

  async markEntitlement(tx: Transaction, projectId: string, entitlementId: string): Promise<void> {
    await tx.query(markEntitlement, [projectId, entitlementId]);
  }

  /** Removes the mark if `until` is null. */
  async moveCatalogMark(
    tx: Transaction,
    projectId: string,
    { id }: CatalogMark,
    until: string | null,
  ): Promise<void> {
    if (until === null) await tx.query(endCatalogMark, [projectId, id]);
    else await tx.query(moveCatalogMark, [projectId, id, until]);
  }

  async endedAccess(tx: Transaction, projectId: string, now: Date, limit: number): Promise<string[]> {
    return (await tx.query<Named>(endedAccess, [projectId, now, limit])).map(({ id }) => id);
  }

  /** Waits for a batch of the rollup only if something changes. */
  async enable(executor: Executor, projectId: string): Promise<void> {
    const [use] = await executor.query<{ enabled: boolean; isUnused: boolean }>(findUse, [projectId]);
    if (use?.enabled && !use.isUnused) return;
    await executor.query(enable, [projectId, CODE_VERSION]);
  }

  /** Null if the project has no rows. */
  async status(reader: Reader, projectId: string): Promise<ReportStatus | null> {
    type Row = Omit<ReportStatus, 'dataUntilMs'> & { dataUntil: Date };
    const [row] = await reader.query<Row>(status, [projectId]);
    if (!row) return null;
    const { dataUntil, ...known } = row;
    return { ...known, dataUntilMs: dataUntil.getTime() };
  }

  /** Returns false if the project has no rows. */
  async requestBuild(projectId: string): Promise<boolean> {
    return (await this.database.query(requestBuild, [projectId])).length > 0;
  }

  async isBuilding(projectId: string): Promise<boolean> {
    return (await this.database.query(isBuilding, [projectId])).length > 0;
  }

  usedProjects(afterDays: number): Promise<UsedProject[]> {
    return this.database.query(enabledProjects, [afterDays]);
  }

  async setUse(projectId: string, isUsed: boolean): Promise<void> {
    await this.database.query(isUsed ? setUsed : setUnused, [projectId]);
  }

  async disable(projectId: string, afterDays: number): Promise<void> {
    await this.database.query(disable, [projectId, afterDays]);
  }

  async disableDeleted(tx: Transaction, projectId: string): Promise<void> {
    await tx.query(disableDeleted, [projectId]);
  }

  /** Deletes up to `limit` rows of a project that is not enabled. Returns false if none is left, or it is enabled. */
  async deleteSome(tx: Transaction, projectId: string, limit: number): Promise<boolean> {
    if ((await tx.query(lockDisabled, [projectId])).length === 0) return false;
    for (const statement of deleteSome) {
      if ((await tx.query(statement, [projectId, limit])).length > 0) return true;
    }
    await tx.query(noteDeleted, [projectId]);
    return false;
  }

  async deleteOldDeletions(projectId: string, afterDays: number): Promise<void> {
    await this.database.query(deleteOldDeletions, [projectId, afterDays]);
  }

  async waiting(): Promise<{ marks: number; seconds: number }> {
    const [row] = await this.database.query<{ marks: number; seconds: number }>(waiting, []);
    return row ?? { marks: 0, seconds: 0 };
  }
}
