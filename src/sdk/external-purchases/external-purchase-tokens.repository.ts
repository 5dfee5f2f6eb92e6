import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/database.service.js';
import { statement } from '../../platform/database/statement.js';
import type { ExternalPurchaseTokenEntity } from './external-purchase-token.entity.js';

const insert = statement(
  'external_purchase_tokens.insert',
  `INSERT INTO external_purchase_tokens (project_id, id, app_id, store, kind, environment, external_purchase_id,
     sealed_token, customer_id, token_created_at, token_expires_at, created_at, state)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
   ON CONFLICT DO NOTHING RETURNING id`,
);

const find = statement(
  'external_purchase_tokens.find',
  `SELECT id, app_id AS "appId", external_purchase_id AS "externalPurchaseId", customer_id AS "customerId"
   FROM external_purchase_tokens
   WHERE project_id = $1 AND (id = $2 OR (app_id = $3 AND external_purchase_id = $4))
   ORDER BY id <> $2, id LIMIT 1`,
);

export type KnownToken = Pick<
  ExternalPurchaseTokenEntity,
  'id' | 'appId' | 'externalPurchaseId' | 'customerId'
>;

@Injectable()
export class ExternalPurchaseTokensRepository {
  /** Returns false if the id or the store's id is already known. */
  async insert(tx: Transaction, token: ExternalPurchaseTokenEntity): Promise<boolean> {
    const { projectId, id, appId, store, kind, environment, externalPurchaseId } = token;
    const { sealedToken, customerId, tokenCreatedAt, tokenExpiresAt, createdAt, state } = token;
    const values = [projectId, id, appId, store, kind, environment, externalPurchaseId, sealedToken];
    const rows = await tx.query(insert, [
      ...values,
      customerId,
      tokenCreatedAt,
      tokenExpiresAt,
      createdAt,
      state,
    ]);
    return rows.length > 0;
  }

  /** Finds a token by its own id, or else by the store's id. */
  async find(
    tx: Transaction,
    { projectId, id, appId, externalPurchaseId }: Omit<KnownToken, 'customerId'> & { projectId: string },
  ): Promise<KnownToken | null> {
    return (await tx.query<KnownToken>(find, [projectId, id, appId, externalPurchaseId]))[0] ?? null;
  }
}
