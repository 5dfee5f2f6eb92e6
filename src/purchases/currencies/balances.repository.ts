import { Injectable } from '@nestjs/common';
import { epochMs } from '../../platform/database/epoch-ms.js';
import type { Executor, Transaction } from '../../platform/database/database.service.js';
import { statement } from '../../platform/database/statement.js';
import { type Lot, type LotChange } from './lots.js';
import { MAX_BALANCE } from './virtual-currency.dto.js';

export interface LotRow extends Lot {
  code: string;
}

export interface NewLot {
  customerId: string;
  id: string;
  code: string;
  /** Greater than zero. */
  amount: number;
  expiresAtMs: number | null;
  /** The purchase that credited the lot, unique per currency; null for credits through the API. */
  sourceKey: string | null;
}

/** Units of a currency that a purchase granted, and the customer's balance of it. */
export interface GrantedBalance {
  code: string;
  granted: number;
  balance: number;
}

export type TransactionKind = 'product_grant' | 'refund' | 'adjustment' | 'balance_update' | 'import';

export interface CurrencyMovement {
  customerId: string;
  id: string;
  code: string;
  kind: TransactionKind;
  /** Negative for subtracted amounts. */
  amount: number;
  reference: string | null;
}

/** $1: project; $3: the current time; customers on a test clock use the clock's time instead. */
const live = `remaining > 0 AND (expires_at IS NULL OR expires_at > coalesce((
  SELECT c.test_clock_at FROM customers c WHERE c.project_id = $1
    AND c.id = virtual_currency_lots.customer_id), $3))`;

const lots = statement(
  'currencies.lots',
  `SELECT id, code, remaining, ${epochMs('expires_at')} AS "expiresAtMs" FROM virtual_currency_lots
   WHERE project_id = $1 AND customer_id = $2 AND ${live} AND code = ANY ($4::text[])`,
);

const balances = statement(
  'currencies.balances',
  `SELECT code, sum(remaining)::bigint AS balance FROM virtual_currency_lots
   WHERE project_id = $1 AND customer_id = (
     SELECT customer_id FROM customer_aliases WHERE project_id = $1 AND app_user_id = $2)
     AND ${live}
   GROUP BY code`,
);

/** The currencies that a purchase ($4: its source) granted to a customer, with the customer's balances. */
const use = statement(
  'currencies.use_of_purchase',
  `SELECT granted.code, granted.granted, coalesce(left_over.balance, 0)::bigint AS balance
   FROM (SELECT code, sum(granted)::bigint AS granted FROM virtual_currency_lots
         WHERE project_id = $1 AND customer_id = $2 AND source_key = $4 GROUP BY code) granted
   LEFT JOIN (SELECT code, sum(remaining) AS balance FROM virtual_currency_lots
              WHERE project_id = $1 AND customer_id = $2 AND ${live} GROUP BY code) left_over USING (code)`,
);

const setRemaining = statement(
  'currencies.set_remaining',
  `UPDATE virtual_currency_lots l SET remaining = changed.remaining
   FROM unnest($4::text[], $5::bigint[]) AS changed(id, remaining)
   WHERE l.project_id = $1 AND l.customer_id = $2 AND l.code = $3 AND l.id = changed.id`,
);

const addLots = statement(
  'currencies.add_lots',
  `INSERT INTO virtual_currency_lots (project_id, customer_id, id, code, granted, remaining, expires_at, source_key,
     created_at)
   SELECT a.project_id, n.customer_id, n.id, n.code, n.amount, n.amount, n.expires_at, n.source_key, $8
   FROM project_anchors a CROSS JOIN unnest($2::text[], $3::text[], $4::text[], $5::bigint[], $6::timestamptz[], $7::text[])
     AS n(customer_id, id, code, amount, expires_at, source_key)
   WHERE a.project_id = $1 AND a.app_id = ''
   ON CONFLICT ON CONSTRAINT virtual_currency_lots_once DO NOTHING
   RETURNING id, code`,
);

const capBalance = statement(
  'currencies.cap_balance',
  `UPDATE virtual_currency_lots l SET remaining = greatest(0, l.remaining - over.amount),
     granted = greatest(0, l.granted - over.amount)
   FROM (SELECT sum(remaining) - ${MAX_BALANCE} AS amount FROM virtual_currency_lots
         WHERE project_id = $1 AND customer_id = $2 AND ${live} AND code = $4) over
   WHERE l.project_id = $1 AND l.customer_id = $2 AND l.code = $4 AND l.id = $5 AND over.amount > 0
   RETURNING l.granted`,
);

const addMovements = statement(
  'currencies.add_movements',
  `INSERT INTO virtual_currency_transactions (project_id, created_at, id, code, customer_id, kind, amount, reference)
   SELECT a.project_id, $8, n.id, n.code, n.customer_id, n.kind, n.amount, n.reference
   FROM project_anchors a CROSS JOIN unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::text[])
     AS n(id, code, customer_id, kind, amount, reference)
   WHERE a.project_id = $1 AND a.app_id = ''`,
);

@Injectable()
export class BalancesRepository {
  /** Positive balances, by code, of the customer with an app user id. */
  async balances(
    executor: Executor,
    projectId: string,
    appUserId: string,
    nowMs: number,
  ): Promise<Map<string, number>> {
    const values = [projectId, appUserId, new Date(nowMs)];
    const rows = await executor.query<{ code: string; balance: number }>(balances, values);
    return new Map(rows.map(({ code, balance }) => [code, balance]));
  }

  useOf(
    executor: Executor,
    projectId: string,
    customerId: string,
    sourceKey: string,
    nowMs: number,
  ): Promise<GrantedBalance[]> {
    return executor.query(use, [projectId, customerId, new Date(nowMs), sourceKey]);
  }

  /** Lots of a locked customer that can currently be spent. */
  lots(
    tx: Transaction,
    projectId: string,
    customerId: string,
    codes: string[],
    nowMs: number,
  ): Promise<LotRow[]> {
    return tx.query(lots, [projectId, customerId, new Date(nowMs), codes]);
  }

  async setRemaining(
    tx: Transaction,
    projectId: string,
    customerId: string,
    code: string,
    changes: LotChange[],
  ): Promise<void> {
    if (changes.length === 0) return;
    const ids = changes.map(({ id }) => id);
    const remaining = changes.map((change) => change.remaining);
    await tx.query(setRemaining, [projectId, customerId, code, ids, remaining]);
  }

  /** Adds lots, except from sources that have already credited. Returns the ids of the added lots. */
  async addLots(tx: Transaction, projectId: string, added: NewLot[], nowMs: number): Promise<Set<string>> {
    const rows = await tx.query<{ id: string; code: string }>(addLots, [
      projectId,
      added.map(({ customerId }) => customerId),
      added.map(({ id }) => id),
      added.map(({ code }) => code),
      added.map(({ amount }) => amount),
      added.map(({ expiresAtMs }) => (expiresAtMs === null ? null : new Date(expiresAtMs))),
      added.map(({ sourceKey }) => sourceKey),
      new Date(nowMs),
    ]);
    return new Set(rows.map(({ id, code }) => `${id} ${code}`));
  }

  /** Reduces a new lot so that the balance stays within the maximum. Returns the lot's remaining amount. */
  async capBalance(
    tx: Transaction,
    projectId: string,
    { customerId, code, id, amount }: NewLot,
    nowMs: number,
  ): Promise<number> {
    const values = [projectId, customerId, new Date(nowMs), code, id];
    const [cut] = await tx.query<{ granted: number }>(capBalance, values);
    return cut ? cut.granted : amount;
  }

  async addMovements(
    tx: Transaction,
    projectId: string,
    movements: CurrencyMovement[],
    nowMs: number,
  ): Promise<void> {
    await tx.query(addMovements, [
      projectId,
      movements.map(({ id }) => id),
      movements.map(({ code }) => code),
      movements.map(({ customerId }) => customerId),
      movements.map(({ kind }) => kind),
      movements.map(({ amount }) => amount),
      movements.map(({ reference }) => reference),
      new Date(nowMs),
    ]);
  }
}
