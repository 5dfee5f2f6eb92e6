import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../platform/database/database.service.js';
import { statement } from '../../platform/database/statement.js';
import type { ReportRow } from './external-purchase-reports.repository.js';

/** What a store has accepted in a month, and what the ledger has. Refunds are subtracted. */
export interface MonthSums extends Pick<ReportRow, 'store'> {
  /** `2026-11` */
  month: string;
  currency: string;
  reportedMicros: number;
  ledgerMicros: number;
}

/**
 * A report belongs to the month of its ledger row, and counts the change since the previous report about the line, so
 * that a withdrawn refund adds up with the ledger's reversal. A deleted customer's purchases are in neither sum.
 */
const months = statement(
  'external_purchase_reports.months',
  `WITH ledger AS MATERIALIZED (
     SELECT x.store, b.purchase_key, t.id, t.purchased_at, t.currency, t.amount_micros
     FROM external_purchase_bindings b
     JOIN external_purchase_tokens x ON x.project_id = $1 AND x.id = b.token_id
     JOIN store_transaction_keys k ON k.project_id = $1 AND k.store = b.store AND k.environment = 'production'
       AND k.owner_key = b.purchase_key
     JOIN store_transactions t ON t.project_id = $1 AND t.recorded_at = k.recorded_at AND t.id = k.id
     WHERE b.project_id = $1
   ), line AS (
     SELECT r.store, r.purchase_key, r.source_key, r.position, i."lineItemId", i."atMs", i.currency,
       CASE WHEN i."isWithdrawn" THEN 0 WHEN i."refundOf" IS NULL THEN i."amountMicros" ELSE -i."amountMicros" END
         AS micros
     FROM external_purchase_reports r
     CROSS JOIN LATERAL json_to_recordset(r.items) AS i("lineItemId" text, "refundOf" text, "amountMicros" bigint,
       currency text, "atMs" bigint, "isWithdrawn" boolean)
     WHERE r.project_id = $1 AND r.environment = 'production' AND r.state = 'sent'
       AND EXISTS (SELECT 1 FROM ledger l WHERE l.purchase_key = r.purchase_key)
   ), change AS (
     SELECT line.*, micros - lag(micros, 1, 0::bigint) OVER (PARTITION BY purchase_key, "lineItemId" ORDER BY position)
       AS "changeMicros"
     FROM line
   ), money AS (
     SELECT store, currency, purchased_at AS at, 0 AS reported, amount_micros AS booked FROM ledger
     UNION ALL
     SELECT c.store, c.currency, coalesce(l.purchased_at, to_timestamp(c."atMs" / 1000.0)), c."changeMicros", 0
     FROM change c LEFT JOIN ledger l ON l.id = c.source_key
   )
   SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM') AS month, store, currency,
     coalesce(sum(reported), 0)::bigint AS "reportedMicros", coalesce(sum(booked), 0)::bigint AS "ledgerMicros"
   FROM money WHERE currency IS NOT NULL AND at >= $2
   GROUP BY 1, 2, 3 ORDER BY 1 DESC, 2, 3`,
);

@Injectable()
export class ReportMonthsRepository {
  constructor(private readonly database: DatabaseService) {}

  /** One row for each month, store and currency since a time, newest month first. */
  since(projectId: string, from: Date): Promise<MonthSums[]> {
    return this.database.forReading.query(months, [projectId, from]);
  }
}
