import { Injectable } from '@nestjs/common';
import { DatabaseService, type Executor } from '../../database/database.service.js';
import { statement } from '../../database/statement.js';
import { cleanUp, deletionOf } from '../../jobs/batches.js';
import { Cleanup } from '../../jobs/cleanup.js';
import type { CredentialUse } from './credential-use.entity.js';

/** Twice the lifetime of a refresh token, so that only grants that have ended are older. */
const GRANTS_KEPT_MS = 60 * 86_400_000;

/** Writes at most once a minute. */
const record = statement(
  'credential_uses.record',
  `INSERT INTO credential_uses AS u (project_id, credential_id, kind, last_used_at) VALUES ($1, $2, $3, $4)
   ON CONFLICT (project_id, credential_id) DO UPDATE SET last_used_at = excluded.last_used_at
   WHERE excluded.last_used_at - u.last_used_at > interval '1 minute'`,
);

const find = statement(
  'credential_uses.find',
  `SELECT credential_id AS "credentialId", last_used_at AS "lastUsedAt" FROM credential_uses
   WHERE project_id = $1 AND credential_id = ANY ($2::text[])`,
);

const forget = statement(
  'credential_uses.forget',
  'DELETE FROM credential_uses WHERE project_id = $1 AND credential_id = $2',
);

/** Most grants end without a statement of their own: they expire, or go with a membership. */
const deleteOld = deletionOf('credential_uses.delete_old', {
  table: 'credential_uses',
  key: ['project_id', 'credential_id'],
  isOld: (row) => `${row}.kind = 'oauth_grant' AND ${row}.last_used_at <= $1`,
});

@Injectable()
export class CredentialUsesRepository {
  constructor(private readonly database: DatabaseService) {}

  async record({ projectId, credentialId, kind, lastUsedAt }: CredentialUse): Promise<void> {
    await this.database.query(record, [projectId, credentialId, kind, lastUsedAt]);
  }

  find(
    projectId: string,
    credentialIds: readonly string[],
  ): Promise<Pick<CredentialUse, 'credentialId' | 'lastUsedAt'>[]> {
    return this.database.query(find, [projectId, credentialIds]);
  }

  async forget(executor: Executor, projectId: string, credentialId: string): Promise<void> {
    await executor.query(forget, [projectId, credentialId]);
  }

  @Cleanup('oauth_cleanup', GRANTS_KEPT_MS)
  deleteOld(usedUntil: Date): Promise<number> {
    return cleanUp(this.database, deleteOld, [usedUntil]);
  }
}
