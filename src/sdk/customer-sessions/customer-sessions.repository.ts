import { Injectable } from '@nestjs/common';
import { DatabaseService, type Transaction } from '../../platform/database/database.service.js';
import { longStatement, statement } from '../../platform/database/statement.js';
import {
  isReplacedBeforeSql,
  replacedAgoMsSql,
  replacedAtSql,
} from '../../platform/refresh-tokens/replaced-tokens.sql.js';
import type { ReplacedToken } from '../../platform/refresh-tokens/replaced-token.policy.js';
import type { CustomerSession } from './customer-session.entity.js';
import type { ReplacedCustomerToken } from './replaced-customer-token.entity.js';
import { cleanUp, deletionOf } from '../../platform/jobs/batches.js';
import { Cleanup } from '../../platform/jobs/cleanup.js';

/** Starts with each issue of a refresh token. */
export const LIFETIME_MS = 30 * 86_400_000;
/** Longer than a lifetime: as long as the row exists, a token that expired long ago does not count as stolen. */
const REPLACED_KEPT_MS = 2 * LIFETIME_MS;

export type SessionKey = Pick<CustomerSession, 'projectId' | 'id' | 'appId'>;

const columns = `project_id AS "projectId", id, app_id AS "appId", app_user_id AS "appUserId", method,
  provider_id AS "providerId", subject, family_hash AS "familyHash", refresh_hash AS "refreshHash",
  signed_in_at AS "signedInAt", last_used_at AS "lastUsedAt", expires_at AS "expiresAt", generation,
  generation_used_at AS "generationUsedAt"`;

const insert = statement(
  'customer_sessions.insert',
  `INSERT INTO customer_sessions (project_id, id, app_id, app_user_id, method, provider_id, subject, family_hash,
     refresh_hash, signed_in_at, last_used_at, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
);

/** A transaction that waited for the lock reads the row as the other transaction left it. */
const lock = statement(
  'customer_sessions.lock',
  `SELECT ${columns} FROM customer_sessions
   WHERE project_id = $1 AND app_id = $2 AND family_hash = $3 FOR UPDATE`,
);

const replaceToken = statement(
  'customer_sessions.replace_token',
  `UPDATE customer_sessions SET refresh_hash = $3, last_used_at = $4, expires_at = $5, generation = $6,
     generation_used_at = NULL
   WHERE project_id = $1 AND id = $2`,
);

const addReplaced = statement(
  'replaced_customer_tokens.insert',
  `INSERT INTO replaced_customer_tokens
     (project_id, session_id, generation, refresh_hash, issued_at, replaced_at, sealed_successor)
   VALUES ($1, $2, $3, $4, $5, ${replacedAtSql}, $6)`,
);

/** The token with hash $3 and its successors, at most $4 rows. */
const findReplaced = statement(
  'replaced_customer_tokens.find',
  `SELECT t.generation, t.issued_at AS "issuedAt", ${replacedAgoMsSql('t.replaced_at')} AS "replacedAgoMs",
     t.sealed_successor AS "sealedSuccessor"
   FROM replaced_customer_tokens p
   JOIN replaced_customer_tokens t
     ON t.project_id = $1 AND t.session_id = $2 AND t.generation >= p.generation
   WHERE p.project_id = $1 AND p.session_id = $2 AND p.refresh_hash = $3
   ORDER BY t.generation LIMIT $4`,
);

const forgetSuccessors = statement(
  'replaced_customer_tokens.forget_successors',
  `UPDATE replaced_customer_tokens SET sealed_successor = NULL
   WHERE project_id = $1 AND session_id = $2 AND ${isReplacedBeforeSql('replaced_at', '$3')} AND sealed_successor IS NOT NULL`,
);

const isActive = statement(
  'customer_sessions.is_active',
  `SELECT 1 FROM customer_sessions WHERE project_id = $1 AND id = $2 AND app_id = $3 AND expires_at > $4`,
);

const end = statement(
  'customer_sessions.end',
  `DELETE FROM customer_sessions WHERE project_id = $1 AND id = $2`,
);

const endOfProvider = longStatement(
  'customer_sessions.end_of_provider',
  `DELETE FROM customer_sessions WHERE project_id = $1 AND provider_id = $2`,
);

const endOfIdentity = statement(
  'customer_sessions.end_of_identity',
  `DELETE FROM customer_sessions WHERE project_id = $1 AND provider_id = $2 AND subject = $3`,
);

const revoke = statement(
  'revoked_access_tokens.insert',
  `INSERT INTO revoked_access_tokens (project_id, id, expires_at) VALUES ($1, $2, $3)
   ON CONFLICT (project_id, id) DO NOTHING`,
);

const deleteExpiredSessions = deletionOf('customer_sessions.delete_expired', {
  table: 'customer_sessions',
  key: ['project_id', 'id'],
  isOld: (row) => `${row}.expires_at <= $1`,
  orderBy: 'expires_at',
});

const deleteExpiredTokens = deletionOf('revoked_access_tokens.delete_expired', {
  table: 'revoked_access_tokens',
  key: ['project_id', 'id'],
  isOld: (row) => `${row}.expires_at <= $1`,
  orderBy: 'expires_at',
});

const deleteOldReplaced = deletionOf('replaced_customer_tokens.delete_old', {
  table: 'replaced_customer_tokens',
  key: ['project_id', 'session_id', 'generation'],
  isOld: (row) => `${row}.issued_at <= $1`,
  orderBy: 'issued_at',
});

@Injectable()
export class CustomerSessionsRepository {
  constructor(private readonly database: DatabaseService) {}

  async insert(tx: Transaction, session: CustomerSession): Promise<void> {
    await tx.query(insert, [
      session.projectId,
      session.id,
      session.appId,
      session.appUserId,
      session.method,
      session.providerId,
      session.subject,
      session.familyHash,
      session.refreshHash,
      session.signedInAt,
      session.lastUsedAt,
      session.expiresAt,
    ]);
  }

  /** The app's session whose refresh tokens belong to this family, locked; null if it has ended. */
  async lock(
    tx: Transaction,
    projectId: string,
    appId: string,
    familyHash: Buffer,
  ): Promise<CustomerSession | null> {
    return (await tx.query<CustomerSession>(lock, [projectId, appId, familyHash]))[0] ?? null;
  }

  async replaceToken(
    tx: Transaction,
    { projectId, id, refreshHash, lastUsedAt, expiresAt, generation }: CustomerSession,
  ): Promise<void> {
    await tx.query(replaceToken, [projectId, id, refreshHash, lastUsedAt, expiresAt, generation]);
  }

  async addReplaced(tx: Transaction, token: Omit<ReplacedCustomerToken, 'replacedAt'>): Promise<void> {
    const { projectId, sessionId, generation, refreshHash, issuedAt, sealedSuccessor } = token;
    await tx.query(addReplaced, [projectId, sessionId, generation, refreshHash, issuedAt, sealedSuccessor]);
  }

  /** The replaced token and its successors, oldest first, up to `limit`; empty if it is unknown. */
  findReplaced(
    tx: Transaction,
    { projectId, id }: Pick<CustomerSession, 'projectId' | 'id'>,
    refreshHash: Buffer,
    limit: number,
  ): Promise<ReplacedToken[]> {
    return tx.query<ReplacedToken>(findReplaced, [projectId, id, refreshHash, limit]);
  }

  /** Deletes the stored successors of tokens that were replaced longer ago. */
  async forgetSuccessors(
    tx: Transaction,
    { projectId, id }: Pick<CustomerSession, 'projectId' | 'id'>,
    graceMs: number,
  ): Promise<void> {
    await tx.query(forgetSuccessors, [projectId, id, graceMs]);
  }

  async isActive({ projectId, id, appId }: SessionKey, now: Date): Promise<boolean> {
    return (await this.database.query(isActive, [projectId, id, appId, now])).length === 1;
  }

  async end(tx: Transaction, projectId: string, id: string): Promise<void> {
    await tx.query(end, [projectId, id]);
  }

  async endOfProvider(tx: Transaction, projectId: string, providerId: string): Promise<void> {
    await tx.query(endOfProvider, [projectId, providerId]);
  }

  async endOfIdentity(
    tx: Transaction,
    projectId: string,
    providerId: string,
    subject: string,
  ): Promise<void> {
    await tx.query(endOfIdentity, [projectId, providerId, subject]);
  }

  async revoke(tx: Transaction, projectId: string, tokenId: string, expiresAt: Date): Promise<void> {
    await tx.query(revoke, [projectId, tokenId, expiresAt]);
  }

  @Cleanup('customer_sessions_cleanup')
  deleteExpiredSessions(now: Date): Promise<number> {
    return cleanUp(this.database, deleteExpiredSessions, [now]);
  }

  @Cleanup('customer_sessions_cleanup', REPLACED_KEPT_MS)
  deleteOldReplaced(issuedUntil: Date): Promise<number> {
    return cleanUp(this.database, deleteOldReplaced, [issuedUntil]);
  }

  @Cleanup('customer_sessions_cleanup')
  deleteExpiredTokens(now: Date): Promise<number> {
    return cleanUp(this.database, deleteExpiredTokens, [now]);
  }
}
