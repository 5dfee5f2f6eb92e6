import type { DataSource } from 'typeorm';

/** Actions that change nothing. */
const READS =
  /\/actions\/(verify_credentials|evaluate|preview)$|\/destinations\/[^/]+\/preview$|\/auth\/providers\/[^/]+\/actions\/test$/;

/** Reads of personal data that are in the audit log like a write. */
const AUDITED_READS =
  /\/customers\/[^/]+\/export$|\/filtered_customers\/csv(\?|$)|\/customer_list_exports\/[^/]+\/file$|\/exports\/download(\?|$)/;

/**
 * Counts the successful writes of REST v2 in each project, to be compared with the audit log: each of them
 * leaves exactly one row there.
 */
export class AuditedWrites {
  private readonly byProject = new Map<string, string[]>();

  note(method: string, path: string, status: number, headers: Record<string, string>): void {
    const [, projectId] = /^\/v2\/projects\/([^/?]+)/.exec(path) ?? [];
    const isWrite = !['GET', 'HEAD'].includes(method) || AUDITED_READS.test(path);
    const wrote = isWrite && status >= 200 && status < 300;
    if (!wrote || projectId === undefined || READS.test(path) || headers['idempotent-replayed']) return;
    this.byProject.set(projectId, [...(this.byProject.get(projectId) ?? []), `${method} ${path}`]);
  }

  /** @throws Error naming a project whose audit log does not hold one row for each write */
  async assertAudited(dataSource: DataSource): Promise<void> {
    const projects = await dataSource.query<{ id: string }[]>(
      'SELECT id FROM projects WHERE deleted_at IS NULL',
    );
    // Without a join of the two: Citus has a copy of the first on each node, and distributes the second.
    const counts = await dataSource.query<{ id: string; count: string }[]>(
      `SELECT project_id AS id, count(*) AS count FROM audit_logs
       WHERE additional_data ->> 'method' IS NOT NULL AND action_type <> 'project_created'
         AND additional_data ->> 'interface' IS NULL AND additional_data ->> 'tool' IS NULL
       GROUP BY project_id`,
    );
    const countOf = new Map(counts.map(({ id, count }) => [id, Number(count)]));
    for (const { id } of projects) {
      const count = countOf.get(id) ?? 0;
      const writes = this.byProject.get(id) ?? [];
      if (count === writes.length) continue;
      throw new Error(
        `${writes.length} writes left ${count} rows in the audit log of ${id}:\n${writes.join('\n')}`,
      );
    }
  }
}

const byDatabase = new Map<string, AuditedWrites>();

/** The one count of a database, whichever server a write goes to. */
export function auditedWritesOf(databaseUrl: string): AuditedWrites {
  const known = byDatabase.get(databaseUrl) ?? new AuditedWrites();
  byDatabase.set(databaseUrl, known);
  return known;
}
