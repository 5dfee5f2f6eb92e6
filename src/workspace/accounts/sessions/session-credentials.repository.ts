import { Injectable } from '@nestjs/common';
import { type SessionCredential, SessionCredentials } from '../../../platform/auth/credential-lookups.js';
import { DatabaseService } from '../../../platform/database/database.service.js';
import { statement } from '../../../platform/database/statement.js';

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

@Injectable()
export class SessionCredentialsRepository implements SessionCredentials {
  constructor(private readonly database: DatabaseService) {}

  async find(tokenHash: Buffer, now: Date): Promise<SessionCredential | null> {
    return (await this.database.query<SessionCredential>(findSession, [tokenHash, now]))[0] ?? null;
  }

  async recordUse(tokenHash: Buffer, now: Date): Promise<void> {
    await this.database.query(touchSession, [tokenHash, now]);
  }
}
