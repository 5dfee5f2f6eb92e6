import { Injectable } from '@nestjs/common';
import { newId } from '../../../libs/kernel/index.js';
import type { Transaction } from '../../platform/database/database.service.js';
import { BalancesRepository, type CurrencyMovement } from './balances.repository.js';
import { CurrencyReturnsRepository, type GrantedLot } from './currency-returns.repository.js';
import { balanceOf, shareOf, takeBack } from './lots.js';

/** A refund revokes `part` of `whole` of a purchase's credits, in total. */
export interface CurrencyReturn {
  sourceKey: string;
  part: number;
  whole: number;
}

export interface TakenBack {
  customerId: string;
  sourceKey: string;
  /** Id of the currency transaction, one for all currencies of a refund. */
  transactionId: string;
  code: string;
  /** Greater than zero. */
  amount: number;
}

/** Revokes the credits of refunded purchases, in the transaction that records the refund. */
@Injectable()
export class CurrencyReturnsService {
  constructor(
    private readonly repository: CurrencyReturnsRepository,
    private readonly balances: BalancesRepository,
  ) {}

  /** The customers who received currency with the purchases. Lock them before revoking any credits. */
  holders(
    tx: Transaction,
    projectId: string,
    returns: CurrencyReturn[],
  ): Promise<{ id: string; appUserId: string }[]> {
    return this.repository.holders(
      tx,
      projectId,
      returns.map(({ sourceKey }) => sourceKey),
    );
  }

  /**
   * Revokes currency from the customers who received it, never below zero: spent currency is not owed. Repeating a
   * return revokes nothing more. `lockedIds` are the locked customers; null if another customer holds a lot.
   */
  async takeBack(
    tx: Transaction,
    projectId: string,
    returns: CurrencyReturn[],
    lockedIds: ReadonlySet<string>,
    nowMs: number,
  ): Promise<TakenBack[] | null> {
    const keys = returns.map(({ sourceKey }) => sourceKey);
    const lots = await this.repository.lots(tx, projectId, keys);
    if (lots.some(({ customerId }) => !lockedIds.has(customerId))) return null;
    const taken: TakenBack[] = [];
    for (const { sourceKey, part, whole } of returns) {
      const transactionId = newId('currencyTransaction', nowMs);
      for (const lot of lots.filter((one) => one.sourceKey === sourceKey)) {
        const amount = await this.takeOne(tx, projectId, lot, shareOf(lot.granted, part, whole), nowMs);
        const { customerId, code } = lot;
        if (amount > 0) taken.push({ customerId, sourceKey, transactionId, code, amount });
      }
    }
    const movements = taken.map(
      ({ customerId, transactionId: id, code, amount, sourceKey }): CurrencyMovement => ({
        customerId,
        id,
        code,
        kind: 'refund',
        amount: -amount,
        reference: sourceKey,
      }),
    );
    if (movements.length > 0) await this.balances.addMovements(tx, projectId, movements, nowMs);
    return taken;
  }

  private async takeOne(
    tx: Transaction,
    projectId: string,
    lot: GrantedLot,
    target: number,
    nowMs: number,
  ): Promise<number> {
    const { customerId, code, id, takenBack } = lot;
    if (target <= takenBack) return 0;
    const held = await this.balances.lots(tx, projectId, customerId, [code], nowMs);
    const changes = takeBack(held, target - takenBack, id);
    await this.balances.setRemaining(tx, projectId, customerId, code, changes);
    await this.repository.setTakenBack(tx, projectId, lot, target);
    const changed = held.filter((one) => changes.some((change) => change.id === one.id));
    return balanceOf(changed) - changes.reduce((sum, { remaining }) => sum + remaining, 0);
  }
}
