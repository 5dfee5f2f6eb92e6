import { Injectable } from '@nestjs/common';
import { type KeyCredential, KeyCredentials } from '../../platform/auth/credential-lookups.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { statement } from '../../platform/database/statement.js';

const findCredential = statement(
  'auth.find_credential',
  `SELECT r.kind, r.project_id AS "projectId", r.owner_id AS "ownerId", a.type AS "appType", k.permissions
   FROM credential_routes r
   JOIN projects p ON p.id = r.project_id AND p.deleted_at IS NULL
   LEFT JOIN apps a ON r.kind = 'public_key' AND a.project_id = r.project_id AND a.id = r.owner_id
   LEFT JOIN api_keys k ON r.kind = 'secret_key' AND k.project_id = r.project_id AND k.id = r.owner_id
   WHERE r.key_hash = $1`,
);

@Injectable()
export class KeyCredentialsRepository implements KeyCredentials {
  constructor(private readonly database: DatabaseService) {}

  async find(keyHash: Buffer): Promise<KeyCredential | null> {
    return (await this.database.query<KeyCredential>(findCredential, [keyHash]))[0] ?? null;
  }
}
