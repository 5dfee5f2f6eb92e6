import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/database.service.js';
import { backendNames, MAX_CUSTOM_ATTRIBUTES, reservedNames, writeOnceNames } from './attribute-names.js';
import { CUSTOMERS_CHANGED, customersChanged } from './customers-changed.js';
import { statement } from '../../../platform/database/statement.js';
import { changeCustomerRows, customerRowSteps } from './customer-rows.js';

/** Adds custom attributes that the other customer lacks, newest first, up to the limit. */
const incoming = `
  SELECT joining.*,
    count(*) FILTER (WHERE is_added) OVER (ORDER BY updated_at_ms DESC, name ROWS UNBOUNDED PRECEDING) AS place
  FROM (
    SELECT a.*, a.value IS NOT NULL AND a.name <> ALL ($7::text[]) AND NOT EXISTS (
      SELECT FROM customer_attributes k
      WHERE k.project_id = $1 AND k.customer_id = $3 AND k.name = a.name AND k.value IS NOT NULL) AS is_added
    FROM customer_attributes a WHERE a.project_id = $1 AND a.customer_id = $2) AS joining`;

const mergeAttributes = statement(
  'customers.merge_attributes',
  `INSERT INTO customer_attributes AS kept (project_id, customer_id, name, value, updated_at_ms, source, set_at)
   SELECT project_id, $3, name, value, updated_at_ms, source, set_at FROM (${incoming}) AS incoming
   WHERE NOT is_added OR place <= $5 - (
     SELECT count(*) FROM customer_attributes k
     WHERE k.project_id = $1 AND k.customer_id = $3 AND k.value IS NOT NULL AND k.name <> ALL ($7::text[]))
   ON CONFLICT (project_id, customer_id, name) DO UPDATE
     SET value = excluded.value, updated_at_ms = excluded.updated_at_ms, source = excluded.source, set_at = excluded.set_at
     WHERE CASE WHEN kept.name = ANY ($6::text[]) AND (kept.source = 'api') <> (excluded.source = 'api')
       THEN excluded.source = 'api'
       WHEN kept.value IS NULL OR excluded.value IS NULL OR NOT (kept.name = ANY ($4::text[]))
       THEN kept.updated_at_ms < excluded.updated_at_ms
       WHEN (kept.source = 'api') <> (excluded.source = 'api') THEN excluded.source = 'api'
       WHEN kept.source = 'api' THEN kept.updated_at_ms < excluded.updated_at_ms
       ELSE kept.updated_at_ms > excluded.updated_at_ms END`,
);

/** The most recently seen device wins. Fields that only the other one sent are preserved. */
const device = ['platform', 'platform_version', 'app_version', 'country', 'sdk_version']
  .map((field) => `last_seen_${field}`)
  .map(
    (column) => `${column} = CASE WHEN gone.last_seen_at > c.last_seen_at
       THEN coalesce(gone.${column}, c.${column}) ELSE coalesce(c.${column}, gone.${column}) END`,
  )
  .join(', ');

/** Deleting an offering leaves the overrides to it behind. */
const existingOverride = (customer: string): string => `(SELECT o.id FROM offerings o
       WHERE o.project_id = $1 AND o.id = ${customer}.current_offering_override)`;

const absorb = statement(
  'customers.merge_absorb',
  `WITH gone AS (
     DELETE FROM customers WHERE project_id = $1 AND id = $2
     RETURNING *
   ), attributes AS (
     DELETE FROM customer_attributes WHERE project_id = $1 AND customer_id = $2
   )
   UPDATE customers c SET first_seen_at = least(c.first_seen_at, gone.first_seen_at),
     last_seen_at = greatest(c.last_seen_at, gone.last_seen_at),
     ${device},
     last_seen_platform_flavor = CASE WHEN gone.last_seen_sdk_version IS NOT NULL
         AND (c.last_seen_sdk_version IS NULL OR gone.last_seen_at > c.last_seen_at)
       THEN gone.last_seen_platform_flavor ELSE c.last_seen_platform_flavor END,
     original_application_version = coalesce(c.original_application_version, gone.original_application_version),
     original_purchase_at = coalesce(c.original_purchase_at, gone.original_purchase_at),
     current_offering_override = coalesce(${existingOverride('c')}, ${existingOverride('gone')}),
     adservices_token = coalesce(c.adservices_token, gone.adservices_token),
     event_sequence = greatest(c.event_sequence, gone.event_sequence),
     last_event_at = greatest(c.last_event_at, gone.last_event_at), version = c.version + 1
   FROM gone WHERE c.project_id = $1 AND c.id = $3`,
);

/** Only if experiments may have cached the customer's ids; a draft may start during the merge. */
const joinedIds = statement(
  'customers.joined_ids',
  `SELECT a.app_user_id AS "appUserId" FROM customer_aliases a
   WHERE a.project_id = $1 AND a.customer_id = $2 AND EXISTS (
     SELECT 1 FROM experiments x WHERE x.project_id = $1 AND x.status IN ('running', 'paused'))`,
);

@Injectable()
export class CustomerMergeRepository implements OnModuleInit {
  /** A missing step stops the start. */
  onModuleInit(): void {
    customerRowSteps('merge');
  }

  /**
   * Moves everything of `sourceId` to `targetId`: ids, purchases, money, history, currencies, attributes. The newer
   * value of an attribute wins, but the first value of a write-once attribute. Custom attributes are moved up to the
   * limit. Both customers must be locked. The target keeps its original id.
   */
  async merge(
    tx: Transaction,
    projectId: string,
    sourceId: string,
    targetId: string,
    now: Date,
  ): Promise<void> {
    await changeCustomerRows(tx, 'merge', [projectId, sourceId, targetId, now]);
    await tx.query(mergeAttributes, [
      projectId,
      sourceId,
      targetId,
      writeOnceNames,
      MAX_CUSTOM_ATTRIBUTES,
      backendNames,
      reservedNames,
    ]);
    await tx.query(absorb, [projectId, sourceId, targetId]);
    const joined = await tx.query<{ appUserId: string }>(joinedIds, [projectId, targetId]);
    if (joined.length === 0) return;
    const ids = joined.map(({ appUserId }) => appUserId);
    await tx.notify(CUSTOMERS_CHANGED, customersChanged(projectId, ids));
  }
}
