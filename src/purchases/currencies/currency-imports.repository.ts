import { Injectable } from '@nestjs/common';
import { epochMs } from '../../platform/database/epoch-ms.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { statement } from '../../platform/database/statement.js';
import type { Lot } from './lots.js';

export interface CustomerLot extends Lot {
  customerId: string;
  code: string;
}

export interface StatedBalance {
  code: string;
  /** `import:` followed by the customer's id in the other system. */
  sourceKey: string;
  stated: number;
}

export interface ImportedMovement {
  customerId: string;
  id: string;
  code: string;
  amount: number;
  sourceKey: string;
  stated: number;
}

/** The balances that the last import of each source reported. */
const lastStated = statement(
  'currency_imports.last_stated',
  `SELECT DISTINCT ON (source_key, code) source_key AS "sourceKey", code, reference::bigint AS stated
   FROM virtual_currency_transactions
   WHERE project_id = $1 AND customer_id = ANY ($2::text[]) AND kind = 'import'
   ORDER BY source_key, code, created_at DESC, id DESC`,
);

const lots = statement(
  'currency_imports.lots',
  `SELECT l.customer_id AS "customerId", l.id, l.code, l.remaining, ${epochMs('l.expires_at')} AS "expiresAtMs"
   FROM virtual_currency_lots l
   WHERE l.project_id = $1 AND l.customer_id = ANY ($2::text[]) AND l.remaining > 0
     AND (l.expires_at IS NULL OR l.expires_at > $3)`,
);

const setRemaining = statement(
  'currency_imports.set_remaining',
  `UPDATE virtual_currency_lots l SET remaining = c.remaining
   FROM unnest($2::text[], $3::text[], $4::text[], $5::bigint[]) AS c(customer_id, code, id, remaining)
   WHERE l.project_id = $1 AND l.customer_id = c.customer_id AND l.code = c.code AND l.id = c.id`,
);

const addMovements = statement(
  'currency_imports.add_movements',
  `INSERT INTO virtual_currency_transactions (project_id, created_at, id, code, customer_id, kind, amount, reference,
     source_key)
   SELECT a.project_id, $2, n.id, n.code, n.customer_id, 'import', n.amount, n.reference, n.source_key
   FROM project_anchors a CROSS JOIN unnest($3::text[], $4::text[], $5::text[], $6::bigint[], $7::text[], $8::text[])
     AS n(id, code, customer_id, amount, reference, source_key)
   WHERE a.project_id = $1 AND a.app_id = ''`,
);

@Injectable()
export class CurrencyImportsRepository {
  lastStated(tx: Transaction, projectId: string, customerIds: string[]): Promise<StatedBalance[]> {
    return tx.query(lastStated, [projectId, customerIds]);
  }

  lots(tx: Transaction, projectId: string, customerIds: string[], nowMs: number): Promise<CustomerLot[]> {
    return tx.query(lots, [projectId, customerIds, new Date(nowMs)]);
  }

  async setRemaining(
    tx: Transaction,
    projectId: string,
    changed: Pick<CustomerLot, 'customerId' | 'code' | 'id' | 'remaining'>[],
  ): Promise<void> {
    await tx.query(setRemaining, [
      projectId,
      changed.map(({ customerId }) => customerId),
      changed.map(({ code }) => code),
      changed.map(({ id }) => id),
      changed.map(({ remaining }) => remaining),
    ]);
  }

  async addMovements(
    tx: Transaction,
    projectId: string,
    movements: ImportedMovement[],
    nowMs: number,
  ): Promise<void> {
    await tx.query(addMovements, [
      projectId,
      new Date(nowMs),
      movements.map(({ id }) => id),
      movements.map(({ code }) => code),
      movements.map(({ customerId }) => customerId),
      movements.map(({ amount }) => amount),
      movements.map(({ stated }) => String(stated)),
      movements.map(({ sourceKey }) => sourceKey),
    ]);
  }
}
