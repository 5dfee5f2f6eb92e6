import { Injectable } from '@nestjs/common';
import {
  type CustomerSessionCredential,
  CustomerSessionCredentials,
} from '../../platform/auth/credential-lookups.js';
import type { AccessTokenClaims } from '../../platform/auth/customer-tokens/customer-token-key.service.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { statement } from '../../platform/database/statement.js';

const findAppOfToken = statement(
  'auth.find_app_of_token',
  `SELECT r.project_id AS "projectId", a.type AS "appType" FROM app_routes r
   JOIN projects p ON p.id = r.project_id AND p.deleted_at IS NULL
   JOIN apps a ON a.project_id = r.project_id AND a.id = r.app_id
   WHERE r.app_id = $1`,
);

/** The session of an access token, unless it has ended or the token is revoked. */
const findCustomerSession = statement(
  'auth.find_customer_session',
  `SELECT s.last_used_at AS "lastUsedAt", s.generation, s.generation_used_at AS "generationUsedAt"
   FROM customer_sessions s
   WHERE s.project_id = $1 AND s.id = $2 AND s.app_id = $3 AND s.app_user_id = $4 AND s.expires_at > $6
     AND NOT EXISTS (SELECT FROM revoked_access_tokens t WHERE t.project_id = $1 AND t.id = $5)`,
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

type App = Pick<CustomerSessionCredential, 'projectId' | 'appType'>;
type Session = Omit<CustomerSessionCredential, keyof App>;

@Injectable()
export class CustomerSessionCredentialsRepository implements CustomerSessionCredentials {
  constructor(private readonly database: DatabaseService) {}

  async find(
    { aud, sid, sub, jti }: AccessTokenClaims,
    now: Date,
  ): Promise<CustomerSessionCredential | null> {
    const [app] = await this.database.query<App>(findAppOfToken, [aud]);
    if (!app) return null;
    const values = [app.projectId, sid, aud, sub, jti, now];
    const [session] = await this.database.query<Session>(findCustomerSession, values);
    return session ? { ...app, ...session } : null;
  }

  async markGenerationUsed(projectId: string, sessionId: string, generation: number): Promise<void> {
    await this.database.query(markGenerationUsed, [projectId, sessionId, generation]);
  }

  async recordUse(projectId: string, sessionId: string, now: Date): Promise<void> {
    await this.database.query(touchCustomerSession, [projectId, sessionId, now]);
  }
}
