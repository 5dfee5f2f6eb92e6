import { Injectable } from '@nestjs/common';
import { isHere } from '../../platform/data-location/is-here.sql.js';
import { DatabaseService, type Transaction } from '../../platform/database/database.service.js';
import { acrossProjects, statement } from '../../platform/database/statement.js';
import { Cleanup } from '../../platform/jobs/cleanup.js';

export interface StoredBlob {
  contentType: string;
  bytes: Buffer;
}

const KEPT_MS = 30 * 24 * 3_600_000;

const find = statement(
  'content_blobs.find',
  `SELECT content_type AS "contentType", bytes FROM content_blobs WHERE project_id = $1 AND ref = $2`,
);

const store = statement(
  'content_blobs.store',
  `INSERT INTO content_blobs (project_id, ref, content_type, bytes, created_at) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (project_id, ref) DO UPDATE SET unused_since = NULL`,
);

const markUnused = statement(
  'content_blobs.mark_unused',
  `UPDATE content_blobs SET unused_since = $3
   WHERE project_id = $1 AND ref = ANY ($2::text[]) AND unused_since IS NULL`,
);

const projectsWithUnused = acrossProjects(
  'content_blobs.projects_with_unused',
  `SELECT b.project_id AS "projectId" FROM content_blobs b
   WHERE b.unused_since <= $1 AND ${isHere('b.project_id')} GROUP BY b.project_id LIMIT $2`,
);

const deleteUnused = statement(
  'content_blobs.delete_unused',
  `DELETE FROM content_blobs WHERE project_id = $1 AND ref = ANY (ARRAY(
     SELECT b.ref FROM content_blobs b WHERE b.project_id = $1 AND b.unused_since <= $2
     ORDER BY b.unused_since LIMIT $3))
   AND unused_since <= $2
   RETURNING ref`,
);

@Injectable()
export class ContentBlobsRepository {
  constructor(private readonly database: DatabaseService) {}

  async find(projectId: string, ref: string): Promise<StoredBlob | null> {
    const [blob] = await this.database.query<StoredBlob>(find, [projectId, ref]);
    return blob ?? null;
  }

  /** Stores the blob if it is new; it is in use from now on. */
  async store(
    tx: Transaction,
    projectId: string,
    ref: string,
    { contentType, bytes }: StoredBlob,
    now: Date,
  ): Promise<void> {
    await tx.query(store, [projectId, ref, contentType, bytes, now]);
  }

  async markUnused(tx: Transaction, projectId: string, refs: readonly string[], now: Date): Promise<void> {
    if (refs.length > 0) await tx.query(markUnused, [projectId, refs, now]);
  }

  /** Deletes what phones with an older configuration no longer need. */
  @Cleanup('content_blobs_cleanup', KEPT_MS)
  async deleteUnused(until: Date, limit: number): Promise<number> {
    const projects = await this.database.query<{ projectId: string }>(projectsWithUnused, [until, limit]);
    let deleted = 0;
    for (const { projectId } of projects) {
      if (deleted >= limit) break;
      deleted += (await this.database.query(deleteUnused, [projectId, until, limit - deleted])).length;
    }
    return deleted;
  }
}
