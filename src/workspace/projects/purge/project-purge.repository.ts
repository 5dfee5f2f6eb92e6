import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../../platform/database/database.service.js';
import { localSettings } from '../../../platform/database/local-settings.js';
import { longStatement, type Statement, statement } from '../../../platform/database/statement.js';
import type { HeldItem, LeasedItem, LeaseTerms } from '../../../platform/jobs/leased-work.js';
import { isFree, leaseEnd } from '../../../platform/jobs/leases.sql.js';
import { deletionOrder, type ProjectTable } from './project-tables.js';
import { projectTables } from './project-tables.sql.js';

/** A deleted project that may still have rows. */
export interface ProjectToPurge extends LeasedItem {
  projectId: string;
  deletedAt: Date;
}

const claim = statement(
  'projects.claim_purge',
  `WITH due AS MATERIALIZED (
     SELECT id FROM projects WHERE purge_due_at <= $1 AND ${isFree('purge_lease_until')} ORDER BY purge_due_at LIMIT $3 FOR UPDATE SKIP LOCKED
   )
   UPDATE projects p SET purge_due_at = $2, purge_lease_until = ${leaseEnd('$1', '$2')}
   FROM due WHERE p.id = due.id
   RETURNING p.id AS "projectId", p.deleted_at AS "deletedAt", p.purge_lease_until AS "leaseUntil"`,
);

const renew = statement(
  'projects.renew_purge',
  `UPDATE projects p SET purge_due_at = $4, purge_lease_until = ${leaseEnd('$3', '$4')}
   FROM unnest($1::text[], $2::timestamptz[]) AS held (id, lease_until)
   WHERE p.id = held.id AND p.purge_lease_until = held.lease_until
   RETURNING p.purge_lease_until AS "leaseUntil"`,
);

const dueAgain = statement(
  'projects.purge_due_again',
  `UPDATE projects SET purge_due_at = $3, purge_lease_until = NULL WHERE id = $1 AND purge_lease_until = $2`,
);

const remove = statement('projects.remove', `DELETE FROM projects WHERE id = $1 AND purge_lease_until = $2`);

/**
 * Every index of a project's rows starts with the project, but the planner may prefer to scan the table from its start,
 * which is only as fast for the first batch.
 */
const byIndex = localSettings({ enable_seqscan: 'off', enable_bitmapscan: 'off' });

/**
 * Deletes up to $2 rows of project $1 and counts those it found. The project is in both conditions, because the same
 * `ctid` may exist in every partition of a table.
 */
const deleteRows = (table: string): Statement =>
  longStatement(
    `projects.purge.${table}`,
    `WITH found AS MATERIALIZED (SELECT ctid FROM ${table} WHERE project_id = $1 LIMIT $2),
     gone AS (DELETE FROM ${table} WHERE project_id = $1 AND ctid = ANY (ARRAY(SELECT ctid FROM found)))
     SELECT count(*) AS found FROM found`,
  );

@Injectable()
export class ProjectPurgeRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Leases up to `limit` deleted projects that are due. */
  claim({ now, againAt }: LeaseTerms, limit: number): Promise<ProjectToPurge[]> {
    return this.database.query(claim, [now, againAt, limit]);
  }

  /** Extends leases that no other process has taken over. */
  async renew(held: HeldItem<ProjectToPurge>[], { now, againAt }: LeaseTerms): Promise<Date | null> {
    const ids = held.map(({ item }) => item.projectId);
    const ends = held.map((lease) => lease.leaseUntil);
    const rows = await this.database.query<LeasedItem>(renew, [ids, ends, now, againAt]);
    return rows[0]?.leaseUntil ?? null;
  }

  /**
   * Deletes up to `limit` rows of a project, from any tables, in one transaction. Returns the number; 0 if only the
   * project's own row is left.
   */
  deleteRows(projectId: string, limit: number): Promise<number> {
    return this.database.transaction(async (tx) => {
      const tables = deletionOrder(await tx.query<ProjectTable>(projectTables, []));
      await tx.query(byIndex, []);
      let room = limit;
      for (const table of tables) {
        const [row] = await tx.query<{ found: number }>(deleteRows(table), [projectId, room]);
        room -= row?.found ?? 0;
        if (room === 0) break;
      }
      return limit - room;
    });
  }

  /** Ends a lease that is still held; the project is due again at `dueAt`. */
  async dueAgain(projectId: string, leaseUntil: Date, dueAt: Date): Promise<void> {
    await this.database.query(dueAgain, [projectId, leaseUntil, dueAt]);
  }

  /** Deletes the row of a project whose lease is still held. */
  async remove(projectId: string, leaseUntil: Date): Promise<void> {
    await this.database.query(remove, [projectId, leaseUntil]);
  }
}
