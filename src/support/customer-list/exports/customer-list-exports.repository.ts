import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { MoreThan, Repository } from 'typeorm';
import { isHere } from '../../../platform/data-location/is-here.sql.js';
import { DatabaseService, type Transaction } from '../../../platform/database/database.service.js';
import { onTransaction } from '../../../platform/database/on-transaction.js';
import { acrossProjects, statement } from '../../../platform/database/statement.js';
import { keysetPage } from '../../../platform/http/lists/keyset.js';
import type { PageRequest } from '../../../platform/http/lists/lists.js';
import { type LeasedTable, renewalOf, renewalValues } from '../../../platform/jobs/app-queues.sql.js';
import { Cleanup } from '../../../platform/jobs/cleanup.js';
import type { HeldItem, LeasedItem, LeaseTerms } from '../../../platform/jobs/leased-work.js';
import { isFree, leaseEnd } from '../../../platform/jobs/leases.sql.js';
import type { FreeSlots } from '../../../platform/jobs/slots.js';
import { CustomerListExportEntity, type ExportFailure } from './customer-list-export.entity.js';

/** A claimed export, with what is written of its file. */
export interface RunningExport
  extends
    LeasedItem,
    Pick<
      CustomerListExportEntity,
      'projectId' | 'id' | 'filters' | 'restarts' | 'afterCustomerId' | 'writtenRows' | 'totalRows' | 'bytes'
    > {}

const lockProject = statement(
  'customer_list_exports.lock',
  `SELECT pg_advisory_xact_lock(hashtextextended('customer_list_exports:' || $1, 0))`,
);

const count = statement(
  'customer_list_exports.count',
  `SELECT count(*)::int AS "all", (count(*) FILTER (WHERE e.state = 'running'))::int AS running
   FROM customer_list_exports e WHERE e.project_id = $1 AND e.expires_at > $2`,
);

const nextRunning = acrossProjects(
  'customer_list_exports.next_running',
  `SELECT e.project_id AS "projectId" FROM customer_list_exports e
   WHERE e.project_id > $1 AND e.state = 'running' AND ${isFree('e.lease_until')} AND e.expires_at > $2
     AND ${isHere('e.project_id')} ORDER BY e.project_id LIMIT 1`,
);

const claim = statement(
  'customer_list_exports.claim',
  `WITH free AS MATERIALIZED (
     SELECT e.id FROM customer_list_exports e
     WHERE e.project_id = $1 AND e.state = 'running' AND ${isFree('e.lease_until')} AND e.expires_at > $2
     ORDER BY e.created_at, e.id LIMIT $4 FOR UPDATE OF e SKIP LOCKED
   )
   UPDATE customer_list_exports e SET lease_until = ${leaseEnd('$2', '$3')} FROM free
   WHERE e.project_id = $1 AND e.id = free.id
   RETURNING e.project_id AS "projectId", e.id, e.filters, e.restarts, e.after_customer_id AS "afterCustomerId",
     e.written_rows AS "writtenRows", e.total_rows AS "totalRows", e.bytes, e.lease_until AS "leaseUntil"`,
);

const leases: LeasedTable<RunningExport> = {
  table: 'customer_list_exports',
  key: { project_id: 'projectId', id: 'id' },
  leaseUntil: 'lease_until',
};

const renew = statement('customer_list_exports.renew', renewalOf(leases));

const release = statement(
  'customer_list_exports.release',
  `UPDATE customer_list_exports SET lease_until = NULL WHERE project_id = $1 AND id = $2 AND lease_until = $3`,
);

/** Whether the export has not been written, restarted or deleted since. $1 to $4. */
const isCurrent = `project_id = $1 AND id = $2 AND state = 'running' AND restarts = $3 AND after_customer_id = $4`;

const setTotal = statement(
  'customer_list_exports.set_total',
  `UPDATE customer_list_exports SET total_rows = $5 WHERE ${isCurrent}`,
);

/** $8: new pieces, 0 or 1. */
const advance = statement(
  'customer_list_exports.advance',
  `UPDATE customer_list_exports SET after_customer_id = $5, written_rows = $6, bytes = $7, pieces = pieces + $8
   WHERE ${isCurrent} RETURNING pieces`,
);

const insertPiece = statement(
  'customer_list_exports.insert_piece',
  `INSERT INTO customer_list_export_pieces (project_id, export_id, number, content) VALUES ($1, $2, $3, $4)`,
);

const finish = statement(
  'customer_list_exports.finish',
  `UPDATE customer_list_exports SET state = $5, failure = $6, finished_at = $7, expires_at = $8
   WHERE ${isCurrent} RETURNING id`,
);

const deletePieces = statement(
  'customer_list_exports.delete_pieces',
  `DELETE FROM customer_list_export_pieces WHERE project_id = $1 AND export_id = ANY ($2::text[])`,
);

const piece = statement(
  'customer_list_exports.piece',
  `SELECT p.content FROM customer_list_export_pieces p
   WHERE p.project_id = $1 AND p.export_id = $2 AND p.number = $3`,
);

/** A file that is being written is emptied, and one that is ready is given up. */
const discard = statement(
  'customer_list_exports.discard',
  `UPDATE customer_list_exports SET restarts = restarts + 1, after_customer_id = '', written_rows = 0, total_rows = NULL,
     pieces = 0, bytes = 0, state = CASE WHEN state = 'ready' THEN 'failed' ELSE state END,
     failure = CASE WHEN state = 'ready' THEN 'customer_erased' ELSE failure END
   WHERE project_id = $1 AND state IN ('running', 'ready') RETURNING id`,
);

const deleteOne = statement(
  'customer_list_exports.delete',
  'DELETE FROM customer_list_exports WHERE project_id = $1 AND id = $2',
);

const nextExpired = acrossProjects(
  'customer_list_exports.next_expired',
  `SELECT e.project_id AS "projectId" FROM customer_list_exports e
   WHERE e.project_id > $1 AND e.expires_at <= $2 AND ${isHere('e.project_id')} ORDER BY e.project_id LIMIT 1`,
);

const deleteExpired = statement(
  'customer_list_exports.delete_expired',
  'DELETE FROM customer_list_exports WHERE project_id = $1 AND expires_at <= $2 RETURNING id',
);

@Injectable()
export class CustomerListExportsRepository {
  constructor(
    @InjectRepository(CustomerListExportEntity)
    private readonly exports: Repository<CustomerListExportEntity>,
    private readonly database: DatabaseService,
  ) {}

  page(projectId: string, now: Date, page: PageRequest): Promise<CustomerListExportEntity[]> {
    return keysetPage(this.exports, { projectId, expiresAt: MoreThan(now) }, page);
  }

  /** Null if it does not exist or has expired. */
  find(projectId: string, id: string, now: Date, tx?: Transaction): Promise<CustomerListExportEntity | null> {
    return onTransaction(this.exports, tx).findOneBy({ projectId, id, expiresAt: MoreThan(now) });
  }

  /** Waits until no other transaction creates an export of the project. */
  async lockProject(tx: Transaction, projectId: string): Promise<void> {
    await tx.query(lockProject, [projectId]);
  }

  async count(tx: Transaction, projectId: string, now: Date): Promise<{ all: number; running: number }> {
    const [counts] = await tx.query<{ all: number; running: number }>(count, [projectId, now]);
    return counts ?? { all: 0, running: 0 };
  }

  async insert(tx: Transaction, row: CustomerListExportEntity): Promise<void> {
    await onTransaction(this.exports, tx).insert(row);
  }

  async delete(tx: Transaction, projectId: string, id: string): Promise<void> {
    await tx.query(deleteOne, [projectId, id]);
    await tx.query(deletePieces, [projectId, [id]]);
  }

  /** The decompressed content's gzip; null if it has been deleted. */
  async piece(projectId: string, id: string, number: number): Promise<Buffer | null> {
    const rows = await this.database.forReading.query<{ content: Buffer }>(piece, [projectId, id, number]);
    return rows[0]?.content ?? null;
  }

  /** Deletes all files of a project. */
  async discardFiles(tx: Transaction, projectId: string): Promise<void> {
    const rows = await tx.query<{ id: string }>(discard, [projectId]);
    // A statement of its own, which sees the pieces that were committed while the first one waited.
    if (rows.length > 0) await tx.query(deletePieces, [projectId, rows.map(({ id }) => id)]);
  }

  /** Leases waiting exports, one project after another. */
  async claim(
    { now, againAt }: LeaseTerms,
    { total, byKey, otherKeys }: FreeSlots,
  ): Promise<RunningExport[]> {
    const claimed: RunningExport[] = [];
    const next = (after: string) => this.next(nextRunning, after, now);
    for (let id = await next(''); id !== null && claimed.length < total; id = await next(id)) {
      const places = Math.min(byKey.get(id) ?? otherKeys, total - claimed.length);
      if (places > 0)
        claimed.push(...(await this.database.query<RunningExport>(claim, [id, now, againAt, places])));
    }
    return claimed;
  }

  async renew(held: HeldItem<RunningExport>[], terms: LeaseTerms): Promise<Date | null> {
    const rows = await this.database.query<LeasedItem>(renew, renewalValues(leases, held, terms));
    return rows[0]?.leaseUntil ?? null;
  }

  async release({ projectId, id }: RunningExport, leaseUntil: Date): Promise<void> {
    await this.database.query(release, [projectId, id, leaseUntil]);
  }

  async setTotal(running: RunningExport, total: number): Promise<void> {
    await this.database.query(setTotal, [...positionOf(running), total]);
  }

  /**
   * Writes a piece (null: no customer in the window meets the filters) and the new position in one transaction. Returns
   * false if the export has changed since `written`.
   */
  append(written: RunningExport, next: RunningExport, content: Buffer | null): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const { afterCustomerId, writtenRows, bytes } = next;
      const [row] = await tx.query<{ pieces: number }>(advance, [
        ...positionOf(written),
        afterCustomerId,
        writtenRows,
        bytes,
        content === null ? 0 : 1,
      ]);
      if (row && content) await tx.query(insertPiece, [written.projectId, written.id, row.pieces, content]);
      return row !== undefined;
    });
  }

  /** Ends an export that has not changed since; a failed one loses its file. */
  finish(
    running: RunningExport,
    failure: ExportFailure | null,
    { at, expiresAt }: { at: Date; expiresAt: Date },
  ): Promise<void> {
    return this.database.transaction(async (tx) => {
      const state = failure === null ? 'ready' : 'failed';
      const ended = await tx.query(finish, [...positionOf(running), state, failure, at, expiresAt]);
      if (ended.length > 0 && failure !== null)
        await tx.query(deletePieces, [running.projectId, [running.id]]);
    });
  }

  /** Deletes all exports that have expired, with their files, one project after another. Returns their number. */
  @Cleanup('customer_list_exports_retention')
  async deleteExpired(until: Date): Promise<number> {
    let deleted = 0;
    const next = (after: string) => this.next(nextExpired, after, until);
    for (let id = await next(''); id !== null; id = await next(id)) deleted += await this.deleteIn(id, until);
    return deleted;
  }

  private deleteIn(projectId: string, until: Date): Promise<number> {
    return this.database.transaction(async (tx) => {
      const rows = await tx.query<{ id: string }>(deleteExpired, [projectId, until]);
      if (rows.length > 0) await tx.query(deletePieces, [projectId, rows.map(({ id }) => id)]);
      return rows.length;
    });
  }

  private async next(command: typeof nextExpired, after: string, now: Date): Promise<string | null> {
    return (await this.database.query<{ projectId: string }>(command, [after, now]))[0]?.projectId ?? null;
  }
}

function positionOf({ projectId, id, restarts, afterCustomerId }: RunningExport): unknown[] {
  return [projectId, id, restarts, afterCustomerId];
}
