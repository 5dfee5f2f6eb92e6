import { Injectable } from '@nestjs/common';
import { canonicalJson } from '../../../libs/kernel/index.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import { CustomersService } from '../../customers/customers/identity/customers.service.js';
import { ConcurrentChange } from '../../platform/database/database-errors.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import { v1Body } from '../../platform/http/errors/error-bodies.js';
import { finalError } from '../../platform/http/errors/known-error.js';
import type { IdempotencyClaim } from '../../platform/http/pipeline/request.js';
import { fingerprint } from '../../platform/idempotency/idempotency-key.js';
import {
  type Answer,
  IdempotentRequestsService,
} from '../../platform/idempotency/idempotent-requests.service.js';
import type { CustomerTokenPrincipal } from '../../platform/principal/principal.js';
import { CurrencyAdjustmentsService } from '../currencies/currency-adjustments.service.js';
import { balancesIn } from './balances.service.js';
import { presentSdkBalances } from './sdk-balances.js';
import { type Spending, unknownCurrency } from './spend.body.js';

type Spender = Pick<CustomerTokenPrincipal, 'projectId' | 'appUserId'>;

interface Claimed {
  claim: IdempotencyClaim;
  customerId: string;
}

/** Spending requests of signed-in customers: all or nothing, and once for each `Idempotency-Key`. */
@Injectable()
export class CurrencySpendsService {
  constructor(
    private readonly adjustments: CurrencyAdjustmentsService,
    private readonly customers: CustomersService,
    private readonly catalogs: CatalogService,
    private readonly requests: IdempotentRequestsService,
    private readonly database: DatabaseService,
  ) {}

  /**
   * Subtracts amounts and returns the resulting balances. Idempotency keys belong to the customer, not to the app user
   * id.
   * @throws ApiError 400 for a currency that is not in use; 422 if a balance is too low; 409 for another request with
   * the same key; 503 while the first request is in progress
   */
  async spend(
    spender: Spender,
    spending: Spending,
    key: string | null,
  ): Promise<Answer & { isReplayed: boolean }> {
    const { projectId, appUserId } = spender;
    const customerId = key === null ? null : await this.customers.idOf(projectId, appUserId);
    if (key === null || customerId === null) {
      return { ...(await this.carryOut(spender, spending, null)), isReplayed: false };
    }
    const asked = {
      fingerprint: fingerprint(['spend', canonicalJson(spending)]),
      appUserIds: [appUserId],
    };
    const claim = await this.requests.begin(projectId, `${customerId} ${key}`, asked);
    if ('status' in claim) return { ...claim, isReplayed: true };
    try {
      return { ...(await this.carryOut(spender, spending, { claim, customerId })), isReplayed: false };
    } catch (error) {
      // If this fails too, the key becomes free when its lease expires.
      await this.end(claim, error, appUserId).catch(() => undefined);
      throw error;
    }
  }

  private async carryOut(
    { projectId, appUserId }: Spender,
    { amounts, reference }: Spending,
    claimed: Claimed | null,
  ): Promise<Answer> {
    // Before the transaction: loading the catalog needs its own connection.
    const { currencies } = await this.catalogs.getCurrent(projectId);
    for (const [code] of amounts) {
      if (!currencies.some((currency) => currency.code === code && currency.active))
        throw unknownCurrency(code);
    }
    const adjustments = Object.fromEntries(amounts.map(([code, amount]) => [code, -amount]));
    return this.database.transaction(async (tx) => {
      const customerId = await this.customers.lockId(tx, projectId, appUserId);
      if (customerId === null) throw new ApiError('balance_too_low', 'The customer no longer exists.');
      if (claimed && claimed.customerId !== customerId) {
        throw new ConcurrentChange('a customer was merged into another while spending');
      }
      if (claimed) await this.requests.carryOut(tx, claimed.claim);
      await this.adjustments.apply(tx, projectId, customerId, { adjustments, reference, kind: 'adjustment' });
      const held = await this.adjustments.balances(projectId, appUserId, tx);
      const body = JSON.stringify(presentSdkBalances(balancesIn(currencies, held)));
      const answer = { status: 200, body };
      // In the same transaction as the change, so that repeated requests always return this answer.
      if (claimed) await this.requests.finish(claimed.claim, answer, [appUserId], tx);
      return answer;
    });
  }

  /** Stores permanent errors as the answer; after any other error, releases the key for the next attempt. */
  private async end(claim: IdempotencyClaim, error: unknown, appUserId: string): Promise<void> {
    const final = finalError(error);
    if (final === null) return this.requests.release(claim);
    const answer = { status: final.v1Status, body: JSON.stringify(v1Body(final)) };
    await this.requests.finish(claim, answer, [appUserId]);
  }
}
