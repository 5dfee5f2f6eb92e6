import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/database.service.js';
import { statement } from '../../platform/database/statement.js';

export interface GrantedLot {
  customerId: string;
  id: string;
  code: string;
  sourceKey: string;
  granted: number;
  takenBack: number;
}

const holders = statement(
  'currency_returns.holders',
  `SELECT DISTINCT c.id, c.original_app_user_id AS "appUserId" FROM virtual_currency_lots l
   JOIN customers c ON c.project_id = $1 AND c.id = l.customer_id
   WHERE l.project_id = $1 AND l.source_key = ANY ($2::text[])`,
);

const lotsOf = statement(
  'currency_returns.lots',
  `SELECT customer_id AS "customerId", id, code, source_key AS "sourceKey", coalesce(granted, 0) AS granted,
     taken_back AS "takenBack"
   FROM virtual_currency_lots WHERE project_id = $1 AND source_key = ANY ($2::text[]) ORDER BY source_key, code`,
);

const setTakenBack = statement(
  'currency_returns.set_taken_back',
  `UPDATE virtual_currency_lots SET taken_back = $5
   WHERE project_id = $1 AND customer_id = $2 AND code = $3 AND id = $4`,
);

@Injectable()
export class CurrencyReturnsRepository {
  holders(
    tx: Transaction,
    projectId: string,
    sourceKeys: string[],
  ): Promise<{ id: string; appUserId: string }[]> {
    return tx.query(holders, [projectId, sourceKeys]);
  }

  lots(tx: Transaction, projectId: string, sourceKeys: string[]): Promise<GrantedLot[]> {
    return tx.query(lotsOf, [projectId, sourceKeys]);
  }

  /** Sets the total amount revoked from a lot. */
  async setTakenBack(
    tx: Transaction,
    projectId: string,
    { customerId, code, id }: GrantedLot,
    takenBack: number,
  ): Promise<void> {
    await tx.query(setTakenBack, [projectId, customerId, code, id, takenBack]);
  }
}
