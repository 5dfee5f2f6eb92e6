import { Inject, Injectable } from '@nestjs/common';
import { type Clock, newId } from '../../../libs/kernel/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import {
  DatabaseService,
  type Executor,
  type Transaction,
} from '../../platform/database/database.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { BalancesRepository, type TransactionKind } from './balances.repository.js';
import { balanceOf, spend } from './lots.js';
import { MAX_BALANCE } from './virtual-currency.dto.js';

export interface Adjustment {
  /** Whole numbers by currency code; negative amounts are subtracted. */
  adjustments: Record<string, number>;
  reference: string | null;
  kind: Extract<TransactionKind, 'adjustment' | 'balance_update'>;
}

@Injectable()
export class CurrencyAdjustmentsService {
  constructor(
    private readonly repository: BalancesRepository,
    private readonly database: DatabaseService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Positive balances by currency code; empty for an unknown customer. */
  balances(
    projectId: string,
    appUserId: string,
    executor: Executor = this.database,
  ): Promise<Map<string, number>> {
    return this.repository.balances(executor, projectId, appUserId, this.clock.nowMs());
  }

  /**
   * Adjusts the balances of a locked customer, all or nothing. Returns the id of the currency transaction.
   * @throws ApiError 422 if a balance would fall below zero or rise above 2,000,000,000
   */
  async apply(
    tx: Transaction,
    projectId: string,
    customerId: string,
    { adjustments, reference, kind }: Adjustment,
  ): Promise<string> {
    const nowMs = this.clock.nowMs();
    const lots = await this.repository.lots(tx, projectId, customerId, Object.keys(adjustments), nowMs);
    const id = newId('currencyTransaction', nowMs);
    for (const [code, amount] of Object.entries(adjustments)) {
      const own = lots.filter((lot) => lot.code === code);
      const changes = amount < 0 ? spend(own, -amount) : [];
      if (changes === null || balanceOf(own) + amount > MAX_BALANCE) {
        throw new ApiError(
          changes === null ? 'balance_too_low' : 'impossible',
          `The balance of ${code} is ${balanceOf(own)}; it must stay between 0 and ${MAX_BALANCE}.`,
          { param: 'adjustments' },
        );
      }
      await this.repository.setRemaining(tx, projectId, customerId, code, changes);
      if (amount > 0) {
        const lot = { customerId, id, code, amount, expiresAtMs: null, sourceKey: null };
        await this.repository.addLots(tx, projectId, [lot], nowMs);
      }
    }
    const movements = Object.entries(adjustments).map(([code, amount]) => ({
      customerId,
      id,
      code,
      kind,
      amount,
      reference,
    }));
    await this.repository.addMovements(tx, projectId, movements, nowMs);
    return id;
  }
}
