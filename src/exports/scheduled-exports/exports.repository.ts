import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { sqlState } from '../../platform/database/database-errors.js';
import {
  DatabaseService,
  type Executor,
  type Reader,
  type Transaction,
} from '../../platform/database/database.service.js';
import { onTransaction } from '../../platform/database/on-transaction.js';
import { keysetPage } from '../../platform/http/lists/keyset.js';
import type { PageRequest } from '../../platform/http/lists/lists.js';
import { Export } from './export.entity.js';
import { type Schedule, weekdays } from './export-schedule.js';
import * as sql from './exports.sql.js';

const FOREIGN_KEY_VIOLATION = '23503';
const HOUR_MS = 3_600_000;

export type ExportKey = Pick<Export, 'projectId' | 'id'>;
export type ExportChanges = Partial<Omit<Export, 'projectId' | 'id' | 'createdAt'>>;

export interface ExportsOverview {
  failing: number;
  oldestDueAt: Date | null;
}

@Injectable()
export class ExportsRepository {
  constructor(
    @InjectRepository(Export) private readonly rows: Repository<Export>,
    private readonly database: DatabaseService,
  ) {}

  /** Oldest first. */
  page(projectId: string, page: PageRequest): Promise<Export[]> {
    return keysetPage(this.rows, { projectId }, page);
  }

  async hasAny(reader: Reader, projectId: string): Promise<boolean> {
    const [row] = await reader.query<{ found: boolean }>(sql.hasAny, [projectId]);
    return row?.found === true;
  }

  async projectOf(id: string): Promise<string | null> {
    const [row] = await this.database.query<{ projectId: string }>(sql.projectOf, [id]);
    return row?.projectId ?? null;
  }

  find({ projectId, id }: ExportKey): Promise<Export | null> {
    return this.rows.findOneBy({ projectId, id });
  }

  lock(tx: Transaction, { projectId, id }: ExportKey): Promise<Export | null> {
    const options = { where: { projectId, id }, lock: { mode: 'pessimistic_write' } } as const;
    return onTransaction(this.rows, tx).findOne(options);
  }

  /** The number of exports stays the same until the transaction ends. */
  async count(tx: Transaction, projectId: string): Promise<number> {
    await tx.query(sql.lockProject, [projectId]);
    return onTransaction(this.rows, tx).countBy({ projectId });
  }

  /** Returns false if the destination does not exist; the transaction cannot continue then. */
  insert(tx: Transaction, row: Export): Promise<boolean> {
    return withDestination(() => onTransaction(this.rows, tx).insert(row));
  }

  /** Returns false if the destination does not exist; the transaction cannot continue then. */
  update(tx: Transaction, { projectId, id }: ExportKey, changes: ExportChanges): Promise<boolean> {
    return withDestination(() => onTransaction(this.rows, tx).update({ projectId, id }, changes));
  }

  async delete(tx: Transaction, { projectId, id }: ExportKey): Promise<void> {
    await onTransaction(this.rows, tx).delete({ projectId, id });
  }

  async isKnownZone(timeZone: string): Promise<boolean> {
    const [row] = await this.database.query<{ known: boolean }>(sql.knownZone, [timeZone]);
    return row?.known === true;
  }

  /** The first time of a schedule after `now`. Null if it runs only on request. */
  async nextDueAt(executor: Executor, schedule: Schedule, now: Date): Promise<Date | null> {
    if (schedule.frequency === 'manual') return null;
    if (schedule.frequency === 'hourly') return new Date((Math.floor(now.getTime() / HOUR_MS) + 1) * HOUR_MS);
    const { at, time_zone: timeZone } = schedule;
    const weekday = schedule.frequency === 'weekly' ? weekdays.indexOf(schedule.weekday) + 1 : null;
    const day = schedule.frequency === 'monthly' ? schedule.day : null;
    const values = [now, timeZone, at, weekday, day];
    const [row] = await executor.query<{ at: Date }>(sql.nextLocalTime, values);
    return row?.at ?? null;
  }

  due(now: Date, limit: number): Promise<ExportKey[]> {
    return this.database.query(sql.due, [now, limit]);
  }

  /** Null if it is not due any more, or another process starts it. */
  async lockDue(tx: Transaction, { projectId, id }: ExportKey, now: Date): Promise<Export | null> {
    const locked = await tx.query(sql.lockDue, [projectId, id, now]);
    return locked.length === 0 ? null : onTransaction(this.rows, tx).findOneBy({ projectId, id });
  }

  async overview(): Promise<ExportsOverview> {
    const [row] = await this.database.query<ExportsOverview>(sql.overview, []);
    return row ?? { failing: 0, oldestDueAt: null };
  }
}

async function withDestination(write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    if (sqlState(error) === FOREIGN_KEY_VIOLATION) return false;
    throw error;
  }
}
