import { Inject, Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { longStatement, type Statement, statement } from '../../database/statement.js';
import type { HeldItem } from '../../jobs/leased-work.js';
import { deletionOrder, type ProjectTable, projectTables } from './project-tables.js';

/** A deleted project of which something may be left. */
export interface ProjectToPurge {
  projectId: string;
  deletedAt: Date;
}

/** A lease is a due time in the future: when it ends, the project is due again. */
const claim = statement(
  'projects.claim_purge',
  `WITH due AS MATERIALIZED (
     SELECT id FROM projects WHERE purge_due_at <= $1 ORDER BY purge_due_at LIMIT $3 FOR UPDATE SKIP LOCKED
   )
   UPDATE projects p SET purge_due_at = $2 FROM due WHERE p.id = due.id
   RETURNING p.id AS "projectId", p.deleted_at AS "deletedAt"`,
);

const renew = statement(
  'projects.renew_purge',
  `UPDATE projects p SET purge_due_at = $3
   FROM unnest($1::text[], $2::timestamptz[]) AS held (id, lease_until)
   WHERE p.id = held.id AND p.purge_due_at = held.lease_until`,
);

const dueAgain = statement(
  'projects.purge_due_again',
  `UPDATE projects SET purge_due_at = $3 WHERE id = $1 AND purge_due_at = $2`,
);

const remove = statement('projects.remove', `DELETE FROM projects WHERE id = $1 AND purge_due_at = $2`);

/**
 * Every index of a project's rows begins with the project, but the planner may think that reading the table
 * from its start is as good. It is, for the first batch only.
 */
const byIndex = statement(
  'projects.purge_by_index',
  `SELECT set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)`,
);

/**
 * Deletes up to $2 rows of project $1 and counts those it found. The project is named twice: below a
 * partitioned table the same place may be taken in every partition.
 */
const deleteRows = (table: string): Statement =>
  longStatement(
    `projects.purge.${table}`,
    `WITH found AS MATERIALIZED (SELECT ctid FROM ${table} WHERE project_id = $1 LIMIT $2),
     gone AS (DELETE FROM ${table} WHERE project_id = $1 AND ctid = ANY (ARRAY(SELECT ctid FROM found)))
     SELECT count(*) AS found FROM found`,
  );

/** Queries that remove deleted projects. */
@Injectable()
export class ProjectPurgeRepository {
  constructor(@Inject(Database) private readonly database: Database) {}

  /** Leases up to `limit` deleted projects that are due. */
  claim(now: Date, leaseUntil: Date, limit: number): Promise<ProjectToPurge[]> {
    return this.database.query(claim, [now, leaseUntil, limit]);
  }

  /** Moves the end of leases that nobody else has taken over. */
  async renew(held: HeldItem<ProjectToPurge>[], leaseUntil: Date): Promise<void> {
    const ids = held.map(({ item }) => item.projectId);
    await this.database.query(renew, [ids, held.map((lease) => lease.leaseUntil), leaseUntil]);
  }

  /**
   * Deletes up to `limit` rows of a project in one transaction, whichever tables they are in. Gives how many
   * there were; 0 when nothing of the project is left but its own row.
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

  /** Ends a lease that is still held: the project is due again at `dueAt`. */
  async dueAgain(projectId: string, leaseUntil: Date, dueAt: Date): Promise<void> {
    await this.database.query(dueAgain, [projectId, leaseUntil, dueAt]);
  }

  /** Deletes the row of a project whose lease is still held. */
  async remove(projectId: string, leaseUntil: Date): Promise<void> {
    await this.database.query(remove, [projectId, leaseUntil]);
  }
}
