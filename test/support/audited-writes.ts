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
    const rows = await dataSource.query<{ id: string; count: string }[]>(
      `SELECT p.id, count(l.id) AS count FROM projects p
       LEFT JOIN audit_logs l ON l.project_id = p.id AND l.additional_data ->> 'method' IS NOT NULL
         AND l.action_type <> 'project_created' AND l.additional_data ->> 'interface' IS NULL
         AND l.additional_data ->> 'tool' IS NULL
       WHERE p.deleted_at IS NULL
       GROUP BY p.id`,
    );
    for (const { id, count } of rows) {
      const writes = this.byProject.get(id) ?? [];
      if (Number(count) === writes.length) continue;
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
