import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/database.service.js';
import { epochMs } from '../../platform/database/epoch-ms.js';
import { statement } from '../../platform/database/statement.js';
import type { OutsidePurchase } from '../recording/outside-purchase.js';
import type { ExternalPurchaseTokenEntity } from './external-purchase-token.entity.js';
import {
  type BindableToken,
  type Binding,
  type KnownBinding,
  newestSinceMs,
} from './token-binding.policy.js';

const ofPurchases = statement(
  'external_purchase_bindings.of_purchases',
  `SELECT b.purchase_key AS "purchaseKey", b.store, b.token_id AS "tokenId", b.bound_by AS "boundBy",
     t.app_id AS "appId", t.state = 'refused' AS "isTokenRefused"
   FROM external_purchase_bindings b
   JOIN external_purchase_tokens t ON t.project_id = $1 AND t.id = b.token_id
   WHERE b.project_id = $1 AND b.purchase_key = ANY ($2::text[])`,
);

const tokenColumns = `id, app_id AS "appId", store, environment, customer_id AS "customerId", state,
  ${epochMs('coalesce(token_created_at, created_at)')} AS "atMs", sealed_token IS NOT NULL AS "hasToken"`;

const candidates = statement(
  'external_purchase_bindings.candidates',
  `SELECT ${tokenColumns} FROM external_purchase_tokens
   WHERE project_id = $1 AND (id = ANY ($2::text[]) OR (customer_id = ANY ($3::text[]) AND state = 'open'
     AND coalesce(token_created_at, created_at) >= $4))`,
);

const reportTokens = statement(
  'external_purchase_bindings.report_tokens',
  `SELECT id, app_id AS "appId", store, environment, external_purchase_id AS "externalPurchaseId"
   FROM external_purchase_tokens WHERE project_id = $1 AND id = ANY ($2::text[])`,
);

const lockToken = statement(
  'external_purchase_bindings.lock_token',
  `SELECT ${tokenColumns} FROM external_purchase_tokens WHERE project_id = $1 AND id = $2 FOR UPDATE`,
);

const insert = statement(
  'external_purchase_bindings.insert',
  `INSERT INTO external_purchase_bindings (project_id, purchase_key, store, token_id, bound_by, bound_at)
   SELECT a.project_id, r."purchaseKey", r.store, r."tokenId", r."boundBy", $3
   FROM project_anchors a CROSS JOIN json_to_recordset($2::json) AS r("purchaseKey" text, store text, "tokenId" text, "boundBy" text)
   WHERE a.project_id = $1 AND a.app_id = ''
   ON CONFLICT (project_id, purchase_key) DO NOTHING`,
);

/** $3: the former token, $4: the new one. */
const replaceToken = statement(
  'external_purchase_bindings.replace_token',
  `UPDATE external_purchase_bindings SET token_id = $4, bound_by = $5, bound_at = $6
   WHERE project_id = $1 AND purchase_key = $2 AND token_id = $3`,
);

const useTokens = statement(
  'external_purchase_bindings.use_tokens',
  `UPDATE external_purchase_tokens SET state = 'used'
   WHERE project_id = $1 AND id = ANY ($2::text[]) AND state IN ('open', 'reported_empty')`,
);

export type ReportTokenRow = Pick<
  ExternalPurchaseTokenEntity,
  'id' | 'appId' | 'store' | 'environment' | 'externalPurchaseId'
>;

@Injectable()
export class ExternalPurchaseBindingsRepository {
  /** By the key of the purchase. */
  async ofPurchases(tx: Transaction, projectId: string, keys: string[]): Promise<Map<string, KnownBinding>> {
    const rows = await tx.query<KnownBinding>(ofPurchases, [projectId, keys]);
    return new Map(rows.map((row) => [row.purchaseKey, row]));
  }

  /** Tokens that the purchases name, and the open ones of their customers. */
  candidates(
    tx: Transaction,
    projectId: string,
    purchases: readonly OutsidePurchase[],
  ): Promise<BindableToken[]> {
    const ids = purchases.flatMap(({ tokenIds }) => tokenIds);
    const customerIds = [...new Set(purchases.map(({ customerId }) => customerId))];
    return tx.query(candidates, [projectId, ids, customerIds, new Date(newestSinceMs(purchases))]);
  }

  /** By id. */
  async reportTokens(
    tx: Transaction,
    projectId: string,
    ids: string[],
  ): Promise<Map<string, ReportTokenRow>> {
    const rows = await tx.query<ReportTokenRow>(reportTokens, [projectId, ids]);
    return new Map(rows.map((row) => [row.id, row]));
  }

  async lockToken(tx: Transaction, projectId: string, id: string): Promise<BindableToken | null> {
    return (await tx.query<BindableToken>(lockToken, [projectId, id]))[0] ?? null;
  }

  /** The owners of the purchases must be locked. */
  async bind(tx: Transaction, projectId: string, bindings: Binding[], at: Date): Promise<void> {
    await tx.query(insert, [projectId, JSON.stringify(bindings), at]);
    await tx.query(useTokens, [projectId, bindings.map(({ tokenId }) => tokenId)]);
  }

  /** Binds a purchase to another token than before. */
  async replaceToken(
    tx: Transaction,
    projectId: string,
    { purchaseKey, tokenId, boundBy }: Binding,
    formerTokenId: string,
    at: Date,
  ): Promise<void> {
    await tx.query(replaceToken, [projectId, purchaseKey, formerTokenId, tokenId, boundBy, at]);
    await tx.query(useTokens, [projectId, [tokenId]]);
  }
}
