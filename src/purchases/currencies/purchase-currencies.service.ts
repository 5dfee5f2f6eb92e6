import { Injectable } from '@nestjs/common';
import { newId } from '../../../libs/kernel/index.js';
import type { CustomerRow } from '../../customers/customers/identity/customer-state.js';
import { CustomersService } from '../../customers/customers/identity/customers.service.js';
import { ConcurrentChange } from '../../platform/database/database-errors.js';
import { DatabaseService, type Transaction } from '../../platform/database/database.service.js';
import { BalancesRepository, type CurrencyMovement, type GrantedBalance } from './balances.repository.js';
import {
  type CurrencyCredit,
  type CurrencyReturn,
  currencySource,
  type RevokedCurrency,
} from './currency-grants.js';
import type { CurrencyMoves, CurrencyRevocations } from './currency-moves.js';
import { CurrencyReturnsRepository, type GrantedLot } from './currency-returns.repository.js';
import { balanceOf, shareOf, revokeFromLots } from './lots.js';

/** Credits the currency of sales and revokes that of refunds, in the transaction that records them. */
@Injectable()
export class PurchaseCurrenciesService {
  constructor(
    private readonly balances: BalancesRepository,
    private readonly returns: CurrencyReturnsRepository,
    private readonly customers: CustomersService,
    private readonly database: DatabaseService,
  ) {}

  /** The currencies that a period or a one-time purchase granted to its customer, and what the customer has of them. */
  useOf(
    projectId: string,
    customerId: string,
    purchase: Parameters<typeof currencySource>[0],
    periodKey: string,
    nowMs: number,
  ): Promise<GrantedBalance[]> {
    const sourceKey = currencySource(purchase, periodKey);
    return this.balances.useOf(this.database, projectId, customerId, sourceKey, nowMs);
  }

  /**
   * `customers` are those of the change, locked. Also locks customers who received revoked currency but no longer own
   * the purchase.
   */
  async record(
    tx: Transaction,
    projectId: string,
    moves: CurrencyMoves,
    customers: CustomerRow[],
    nowMs: number,
  ): Promise<CurrencyRevocations> {
    moves.updateCredits(await this.credit(tx, projectId, moves.credits, nowMs));
    const { returns } = moves;
    const nothing = { revoked: [], otherHolders: [] };
    if (returns.length === 0) return nothing;
    const sourceKeys = returns.map(({ sourceKey }) => sourceKey);
    const holders = await this.returns.holders(tx, projectId, sourceKeys);
    if (holders.length === 0) return nothing;
    const away = holders.filter(({ id }) => !customers.some((customer) => customer.id === id));
    const appUserIds = away.map(({ appUserId }) => appUserId);
    const otherHolders = away.length === 0 ? [] : await this.customers.lock(tx, projectId, { appUserIds });
    const lockedIds = new Set([...customers, ...otherHolders].map(({ id }) => id));
    const lots = await this.returns.lots(tx, projectId, sourceKeys);
    if (lots.some(({ customerId }) => !lockedIds.has(customerId))) {
      throw new ConcurrentChange('currencies of a refunded purchase changed hands');
    }
    return { revoked: await this.revoke(tx, projectId, returns, lots, nowMs), otherHolders };
  }

  /** Credits each source and currency once. Returns the amounts, capped by the limit. */
  private async credit(
    tx: Transaction,
    projectId: string,
    credits: CurrencyCredit[],
    nowMs: number,
  ): Promise<CurrencyMovement[]> {
    if (credits.length === 0) return [];
    const added = await this.balances.addLots(tx, projectId, credits, nowMs);
    const movements: CurrencyMovement[] = [];
    // Latest first, so that the limit reduces later credits before earlier ones, as if each had arrived separately.
    for (const lot of credits.filter(({ id, code }) => added.has(`${id} ${code}`)).reverse()) {
      const { customerId, id, code, sourceKey } = lot;
      const amount = await this.balances.capBalance(tx, projectId, lot, nowMs);
      movements.push({ customerId, id, code, kind: 'product_grant', amount, reference: sourceKey });
    }
    if (movements.length > 0) await this.balances.addMovements(tx, projectId, movements, nowMs);
    return movements;
  }

  /**
   * Revokes currency from the customers who received it, never below zero: spent currency is not owed. Repeating a
   * return revokes nothing more.
   */
  private async revoke(
    tx: Transaction,
    projectId: string,
    returns: CurrencyReturn[],
    lots: GrantedLot[],
    nowMs: number,
  ): Promise<RevokedCurrency[]> {
    const revoked: RevokedCurrency[] = [];
    for (const { sourceKey, part, whole } of returns) {
      const transactionId = newId('currencyTransaction', nowMs);
      for (const lot of lots.filter((one) => one.sourceKey === sourceKey)) {
        const amount = await this.revokeLot(tx, projectId, lot, shareOf(lot.granted, part, whole), nowMs);
        const { customerId, code } = lot;
        if (amount > 0) revoked.push({ customerId, sourceKey, transactionId, code, amount });
      }
    }
    const movements = revoked.map(
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
    return revoked;
  }

  private async revokeLot(
    tx: Transaction,
    projectId: string,
    lot: GrantedLot,
    target: number,
    nowMs: number,
  ): Promise<number> {
    const { customerId, code, id, takenBack } = lot;
    if (target <= takenBack) return 0;
    const held = await this.balances.lots(tx, projectId, customerId, [code], nowMs);
    const changes = revokeFromLots(held, target - takenBack, id);
    await this.balances.setRemaining(tx, projectId, customerId, code, changes);
    await this.returns.setTakenBack(tx, projectId, lot, target);
    const changed = held.filter((one) => changes.some((change) => change.id === one.id));
    return balanceOf(changed) - changes.reduce((sum, { remaining }) => sum + remaining, 0);
  }
}
