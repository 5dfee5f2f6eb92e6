import { Injectable } from '@nestjs/common';
import type { AppType } from '../principal/app-types.js';
import { DatabaseService } from '../database/database.service.js';
import { statement } from '../database/statement.js';
import type { MemberRole } from '../principal/permissions.js';
import type { SessionMethod } from '../principal/principal.js';
import type { AccessTokenClaims } from './customer-token-key.service.js';

interface CredentialRow {
  kind: 'public_key' | 'secret_key';
  projectId: string;
  ownerId: string;
  appType: AppType | null;
  permissions: string[] | null;
}

interface SessionRow {
  id: string;
  userId: string;
  email: string;
  method: SessionMethod;
  ssoOrgId: string | null;
  lastSeenAt: Date;
}

interface CustomerSessionRow {
  projectId: string;
  appType: AppType;
  lastUsedAt: Date;
  /** Hash of the refresh token. */
  generation: number;
  generationUsedAt: Date | null;
}

const findCredential = statement(
  'auth.find_credential',
  `SELECT r.kind, r.project_id AS "projectId", r.owner_id AS "ownerId", a.type AS "appType", k.permissions
   FROM credential_routes r
   JOIN projects p ON p.id = r.project_id AND p.deleted_at IS NULL
   LEFT JOIN apps a ON r.kind = 'public_key' AND a.project_id = r.project_id AND a.id = r.owner_id
   LEFT JOIN api_keys k ON r.kind = 'secret_key' AND k.project_id = r.project_id AND k.id = r.owner_id
   WHERE r.key_hash = $1`,
);

const findSession = statement(
  'auth.find_session',
  `SELECT s.id, s.user_id AS "userId", u.email, s.method, s.sso_org_id AS "ssoOrgId",
     s.last_seen_at AS "lastSeenAt"
   FROM sessions s JOIN users u ON u.id = s.user_id
   WHERE s.token_hash = $1 AND s.expires_at > $2`,
);

const touchSession = statement(
  'auth.touch_session',
  `UPDATE sessions SET last_seen_at = $2 WHERE token_hash = $1`,
);

const findRole = statement(
  'auth.find_role',
  `SELECT m.role FROM project_members m JOIN projects p ON p.id = m.project_id AND p.deleted_at IS NULL
   WHERE m.project_id = $1 AND m.user_id = $2`,
);

const touchKey = statement(
  'auth.touch_key',
  `UPDATE api_keys SET last_used_at = $3
   WHERE project_id = $1 AND id = $2 AND (last_used_at IS NULL OR last_used_at < $3::timestamptz - interval '1 minute')`,
);

/** The session of an access token, unless it has ended, or the token, app or project is gone. */
const findCustomerSession = statement(
  'auth.find_customer_session',
  `SELECT r.project_id AS "projectId", a.type AS "appType", s.last_used_at AS "lastUsedAt", s.generation,
     s.generation_used_at AS "generationUsedAt"
   FROM app_routes r
   JOIN projects p ON p.id = r.project_id AND p.deleted_at IS NULL
   JOIN apps a ON a.project_id = r.project_id AND a.id = r.app_id
   JOIN customer_sessions s ON s.project_id = r.project_id AND s.id = $2 AND s.app_id = r.app_id
   WHERE r.app_id = $1 AND s.app_user_id = $3 AND s.expires_at > $5 AND NOT EXISTS (
     SELECT FROM revoked_access_tokens t WHERE t.project_id = r.project_id AND t.id = $4)`,
);

const touchCustomerSession = statement(
  'auth.touch_customer_session',
  `UPDATE customer_sessions SET last_used_at = $3 WHERE project_id = $1 AND id = $2
     AND last_used_at < $3::timestamptz - interval '1 minute'`,
);

const markGenerationUsed = statement(
  'auth.mark_customer_generation_used',
  `UPDATE customer_sessions SET generation_used_at = statement_timestamp()
   WHERE project_id = $1 AND id = $2 AND generation = $3 AND generation_used_at IS NULL`,
);

@Injectable()
export class AuthRepository {
  constructor(private readonly database: DatabaseService) {}

  async findCredential(keyHash: Buffer): Promise<CredentialRow | null> {
    return (await this.database.query<CredentialRow>(findCredential, [keyHash]))[0] ?? null;
  }

  /** Returns null if the token is unknown or its session has ended. */
  async findSession(tokenHash: Buffer, now: Date): Promise<SessionRow | null> {
    return (await this.database.query<SessionRow>(findSession, [tokenHash, now]))[0] ?? null;
  }

  async touchSession(tokenHash: Buffer, now: Date): Promise<void> {
    await this.database.query(touchSession, [tokenHash, now]);
  }

  async findRole(projectId: string, userId: string): Promise<MemberRole | null> {
    return (await this.database.query<{ role: MemberRole }>(findRole, [projectId, userId]))[0]?.role ?? null;
  }

  /** Writes `last_used_at`, at most once a minute for each key. */
  async touchKey(projectId: string, keyId: string, now: Date): Promise<void> {
    await this.database.query(touchKey, [projectId, keyId, now]);
  }

  async findCustomerSession(
    { aud, sid, sub, jti }: AccessTokenClaims,
    now: Date,
  ): Promise<CustomerSessionRow | null> {
    const values = [aud, sid, sub, jti, now];
    return (await this.database.query<CustomerSessionRow>(findCustomerSession, values))[0] ?? null;
  }

  /** Records the first use of each refresh token. */
  async markGenerationUsed(projectId: string, sessionId: string, generation: number): Promise<void> {
    await this.database.query(markGenerationUsed, [projectId, sessionId, generation]);
  }

  /** Writes `last_used_at`, at most once a minute for each session. */
  async touchCustomerSession(projectId: string, sessionId: string, now: Date): Promise<void> {
    await this.database.query(touchCustomerSession, [projectId, sessionId, now]);
  }
}
