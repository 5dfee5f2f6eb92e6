import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/database.js';
import { BalancesRepository, type CurrencyMovement, type NewLot } from './balances.repository.js';

/** What a purchase credits: one lot, with the purchase as its source. */
export interface CurrencyCredit extends NewLot {
  sourceKey: string;
}

/** Credits of purchases, in the transaction that records the purchase. */
@Injectable()
export class CurrencyCredits {
  constructor(private readonly repository: BalancesRepository) {}

  /**
   * Once for each source and currency; gives what it came to, less than asked for where the balance could not hold
   * all. The customers must be locked.
   */
  async credit(
    tx: Transaction,
    projectId: string,
    credits: CurrencyCredit[],
    nowMs: number,
  ): Promise<CurrencyMovement[]> {
    if (credits.length === 0) return [];
    const added = await this.repository.addLots(tx, projectId, credits, nowMs);
    const movements: CurrencyMovement[] = [];
    // The latest first: what came earlier had room, as if each had come in a change of its own.
    for (const lot of credits.filter(({ id, code }) => added.has(`${id} ${code}`)).reverse()) {
      const { customerId, id, code, sourceKey } = lot;
      const amount = await this.repository.capBalance(tx, projectId, lot, nowMs);
      movements.push({ customerId, id, code, kind: 'product_grant', amount, reference: sourceKey });
    }
    if (movements.length > 0) await this.repository.addMovements(tx, projectId, movements, nowMs);
    return movements;
  }
}
