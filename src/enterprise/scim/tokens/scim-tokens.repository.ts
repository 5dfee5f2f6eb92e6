import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { DatabaseService, type Transaction } from '../../../platform/database/database.service.js';
import { onTransaction } from '../../../platform/database/on-transaction.js';
import { statement } from '../../../platform/database/statement.js';
import type { Place } from '../../../platform/http/lists/list-place.js';
import type { PageRequest } from '../../../platform/http/lists/lists.js';
import { ScimToken } from './scim-token.entity.js';

type ListedToken = Omit<ScimToken, 'tokenHash'>;

const findByHash = statement(
  'scim_tokens.find_by_hash',
  `SELECT org_id AS "orgId", id, last_used_at AS "lastUsedAt" FROM scim_tokens
   WHERE token_hash = $1 AND revoked_at IS NULL`,
);

const touch = statement(
  'scim_tokens.touch',
  `UPDATE scim_tokens SET last_used_at = $3 WHERE org_id = $1 AND id = $2
     AND (last_used_at IS NULL OR last_used_at < $3::timestamptz - interval '1 minute')`,
);

const page = statement(
  'scim_tokens.page',
  `SELECT org_id AS "orgId", id, name, prefix, created_by AS "createdBy", created_at AS "createdAt",
     last_used_at AS "lastUsedAt", revoked_at AS "revokedAt"
   FROM scim_tokens
   WHERE org_id = $1 AND ($2::timestamptz IS NULL OR (created_at, id) > ($2, $3::text))
   ORDER BY created_at, id LIMIT $4`,
);

@Injectable()
export class ScimTokensRepository {
  constructor(
    @InjectRepository(ScimToken) private readonly tokens: Repository<ScimToken>,
    private readonly database: DatabaseService,
  ) {}

  async insert(tx: Transaction, token: ScimToken): Promise<void> {
    await onTransaction(this.tokens, tx).insert(token);
  }

  find(orgId: string, id: string, tx?: Transaction): Promise<ScimToken | null> {
    return onTransaction(this.tokens, tx).findOneBy({ orgId, id });
  }

  async revoke(tx: Transaction, orgId: string, id: string, revokedAt: Date): Promise<void> {
    await onTransaction(this.tokens, tx).update({ orgId, id }, { revokedAt });
  }

  /** Returns null for an unknown or revoked token. */
  async findByHash(hash: Buffer): Promise<Pick<ScimToken, 'orgId' | 'id' | 'lastUsedAt'> | null> {
    const [row] = await this.database.query<Pick<ScimToken, 'orgId' | 'id' | 'lastUsedAt'>>(findByHash, [
      hash,
    ]);
    return row ?? null;
  }

  /** Updates `last_used_at` at most once a minute per token. */
  async touch(orgId: string, id: string, now: Date): Promise<void> {
    await this.database.query(touch, [orgId, id, now]);
  }

  /** Returns up to `limit + 1` tokens, oldest first, including revoked ones. */
  page(orgId: string, { limit }: PageRequest, after: Place | null): Promise<ListedToken[]> {
    return this.database.query(page, [orgId, ...(after ?? [null, null]), limit + 1]);
  }
}
