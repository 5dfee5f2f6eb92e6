import { Injectable } from '@nestjs/common';
import type { ReportToken } from '../../../libs/external-reports/index.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { statement } from '../../platform/database/statement.js';

export interface OverdueToken extends ReportToken {
  externalPurchaseId: string;
  state: 'duplicate' | 'reported_empty';
}

/** A token of the same kind, customer and dates is a refreshed copy: one of them is used, the others are duplicates. */
const reportedState = `CASE WHEN EXISTS (
       SELECT 1 FROM external_purchase_tokens u
       WHERE u.project_id = $1 AND u.app_id = t.app_id AND u.customer_id = t.customer_id AND u.state = 'used'
         AND u.kind = t.kind AND u.token_created_at = t.token_created_at
         AND u.token_expires_at IS NOT DISTINCT FROM t.token_expires_at) THEN 'duplicate' ELSE 'reported_empty' END`;

const returned = 't.id, t.environment, t.external_purchase_id AS "externalPurchaseId", t.state';

const report = statement(
  'external_purchase_tokens.report_overdue',
  `UPDATE external_purchase_tokens t SET state = ${reportedState}
   WHERE t.project_id = $1 AND t.id IN (
     SELECT o.id FROM external_purchase_tokens o
     WHERE o.project_id = $1 AND o.app_id = $2 AND o.state = 'open' AND o.store = 'apple'
       AND o.external_purchase_id IS NOT NULL
       AND (coalesce(o.token_created_at, o.created_at) <= $3 OR o.token_expires_at <= $4)
     ORDER BY o.created_at LIMIT $5 FOR UPDATE SKIP LOCKED)
   RETURNING ${returned}`,
);

const reportOne = statement(
  'external_purchase_tokens.report_one',
  `UPDATE external_purchase_tokens t SET state = ${reportedState}
   WHERE t.project_id = $1 AND t.app_id = $2 AND t.external_purchase_id = $3 AND t.state = 'open'
   RETURNING ${returned}`,
);

@Injectable()
export class OverdueTokensRepository {
  /** Marks open tokens of an app that were created or expired before the given times. */
  report(
    tx: Transaction,
    projectId: string,
    appId: string,
    { createdBefore, expiredBefore }: { createdBefore: Date; expiredBefore: Date },
    limit: number,
  ): Promise<OverdueToken[]> {
    return tx.query(report, [projectId, appId, createdBefore, expiredBefore, limit]);
  }

  /** Marks an open token by Apple's id of it. Returns null if it is not open. */
  async reportOne(
    tx: Transaction,
    projectId: string,
    appId: string,
    externalPurchaseId: string,
  ): Promise<OverdueToken | null> {
    return (await tx.query<OverdueToken>(reportOne, [projectId, appId, externalPurchaseId]))[0] ?? null;
  }
}
