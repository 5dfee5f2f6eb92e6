import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/database.service.js';
import { BalancesRepository, type CurrencyMovement, type NewLot } from './balances.repository.js';

export interface CurrencyCredit extends NewLot {
  sourceKey: string;
}

/** Credits purchases, in the transaction that records them. */
@Injectable()
export class CurrencyCreditsService {
  constructor(private readonly repository: BalancesRepository) {}

  /** Credits each source and currency once. Customers must be locked. Returns the amounts, capped by the limit. */
  async credit(
    tx: Transaction,
    projectId: string,
    credits: CurrencyCredit[],
    nowMs: number,
  ): Promise<CurrencyMovement[]> {
    if (credits.length === 0) return [];
    const added = await this.repository.addLots(tx, projectId, credits, nowMs);
    const movements: CurrencyMovement[] = [];
    // Latest first, so that the limit reduces later credits before earlier ones, as if each had arrived separately.
    for (const lot of credits.filter(({ id, code }) => added.has(`${id} ${code}`)).reverse()) {
      const { customerId, id, code, sourceKey } = lot;
      const amount = await this.repository.capBalance(tx, projectId, lot, nowMs);
      movements.push({ customerId, id, code, kind: 'product_grant', amount, reference: sourceKey });
    }
    if (movements.length > 0) await this.repository.addMovements(tx, projectId, movements, nowMs);
    return movements;
  }
}
