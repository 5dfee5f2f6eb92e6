import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, Repository } from 'typeorm';
import { violatedUnique } from '../../../platform/database/database-errors.js';
import { DatabaseService, type Transaction } from '../../../platform/database/database.service.js';
import { onTransaction } from '../../../platform/database/on-transaction.js';
import { keysetPage } from '../../../platform/http/lists/keyset.js';
import type { PageRequest } from '../../../platform/http/lists/lists.js';
import { renewalValues } from '../../../platform/jobs/app-queues.sql.js';
import { leaseEach } from '../../../platform/jobs/small-queue.js';
import type { HeldItem, LeasedItem, LeaseTerms } from '../../../platform/jobs/leased-work.js';
import { ExportRun } from './export-run.entity.js';
import * as sql from './export-runs.sql.js';
import { RunLost } from './writing/run-errors.js';

const NAMES_INDEX = 'export_runs_names';

export interface RunKey {
  projectId: string;
  id: string;
}

/** A run that this process works on. */
export interface ClaimedRun extends RunKey, LeasedItem {
  exportId: string;
  /** Its number of claims: another process has a higher one. */
  claims: number;
}

export type RunChanges = Partial<Omit<ExportRun, 'projectId' | 'id' | 'exportId' | 'createdAt' | 'claims'>>;

@Injectable()
export class ExportRunsRepository {
  constructor(
    @InjectRepository(ExportRun) private readonly rows: Repository<ExportRun>,
    private readonly database: DatabaseService,
  ) {}

  /** Newest first. */
  page(projectId: string, exportId: string, page: PageRequest): Promise<ExportRun[]> {
    return keysetPage(this.rows, { projectId, exportId }, page, 'DESC');
  }

  find(key: RunKey & { exportId?: string }): Promise<ExportRun | null> {
    return this.rows.findOneBy(key);
  }

  /** The newest run of each export that has one. */
  lastOf(projectId: string, exportIds: string[]): Promise<ExportRun[]> {
    if (exportIds.length === 0) return Promise.resolve([]);
    return this.rows
      .createQueryBuilder('r')
      .distinctOn(['r.exportId'])
      .where({ projectId, exportId: In(exportIds) })
      .orderBy('r.exportId')
      .addOrderBy('r.createdAt', 'DESC')
      .addOrderBy('r.id', 'DESC')
      .getMany();
  }

  findOpen(tx: Transaction, projectId: string, exportId: string): Promise<ExportRun | null> {
    return onTransaction(this.rows, tx).findOneBy({ projectId, exportId, finishedAt: IsNull() });
  }

  lock(tx: Transaction, key: RunKey & { exportId?: string }): Promise<ExportRun | null> {
    return onTransaction(this.rows, tx).findOne({ where: key, lock: { mode: 'pessimistic_write' } });
  }

  lockOpen(tx: Transaction, projectId: string, exportId: string): Promise<ExportRun | null> {
    const where = { projectId, exportId, finishedAt: IsNull() };
    return onTransaction(this.rows, tx).findOne({ where, lock: { mode: 'pessimistic_write' } });
  }

  /** Returns false if the export has an open run. */
  async insert(tx: Transaction, run: ExportRun): Promise<boolean> {
    const inserted = await onTransaction(this.rows, tx)
      .createQueryBuilder()
      .insert()
      .values(run)
      .orIgnore()
      .returning(['id'])
      .execute();
    return (inserted.raw as unknown[]).length === 1;
  }

  async update(tx: Transaction, { projectId, id }: RunKey, changes: RunChanges): Promise<void> {
    await onTransaction(this.rows, tx).update({ projectId, id }, changes);
  }

  /** Returns false if the run has ended, or another process has it. */
  async updateClaimed(
    { projectId, id, claims }: ClaimedRun,
    changes: RunChanges,
    tx?: Transaction,
  ): Promise<boolean> {
    const rows = tx ? onTransaction(this.rows, tx) : this.rows;
    const { affected } = await rows.update({ projectId, id, claims, finishedAt: IsNull() }, changes);
    return affected === 1;
  }

  /** Stores changes of a run that this process works on. @throws RunLost */
  async save(attempt: { claimed: ClaimedRun; run: ExportRun }, changes: RunChanges): Promise<void> {
    if (!(await this.updateClaimed(attempt.claimed, changes))) throw new RunLost();
    attempt.run = { ...attempt.run, ...changes };
  }

  /** Like `updateClaimed`, for what is left to do after the end of a run. */
  async updateEnded({ projectId, id, claims }: ClaimedRun, changes: RunChanges): Promise<void> {
    await this.rows.update({ projectId, id, claims }, changes);
  }

  /** Reserves the names of files with this second. Returns null if the run was lost, false if they are taken. */
  async reserveNames(run: ClaimedRun, changes: RunChanges): Promise<boolean | null> {
    try {
      return (await this.updateClaimed(run, changes)) ? true : null;
    } catch (error) {
      if (violatedUnique(error) === NAMES_INDEX) return false;
      throw error;
    }
  }

  async cancelAll(tx: Transaction, projectId: string, now: Date): Promise<void> {
    await tx.query(sql.cancelAll, [projectId, now]);
  }

  /** Leases at most `limit` due runs that no other process works on. */
  async claim(terms: LeaseTerms, limit: number): Promise<ClaimedRun[]> {
    const due = await this.database.query<RunKey>(sql.due, [terms.now, limit]);
    const keys = due.map(({ projectId, id }) => [projectId, id]);
    return leaseEach(this.database, sql.claim, keys, terms);
  }

  /** Extends leases that no other process has taken over. */
  async renew(held: HeldItem<ClaimedRun>[], terms: LeaseTerms): Promise<Date | null> {
    const rows = await this.database.query<LeasedItem>(sql.renew, renewalValues(sql.leases, held, terms));
    return rows[0]?.leaseUntil ?? null;
  }

  async prune(before: Date, limit: number): Promise<number> {
    return (await this.database.query(sql.prune, [before, limit])).length;
  }
}
