import type { LedgerEntry, Return } from '../../../libs/engine/index.js';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import type { CurrencyMovement } from '../currencies/balances.repository.js';
import type { CurrencyCredit } from '../currencies/currency-credits.js';
import type { TakenBack } from '../currencies/currency-returns.js';
import type { CustomerRow } from '../../customers/customers/customer-state.js';
import type { CurrencyEventContext } from '../../webhooks/events/currency-event-body.js';
import {
  type CreditedPurchase,
  currencyCredit,
  currencySource,
  type PurchaseCredit,
  type PurchaseReturn,
  returnEvent,
} from './currency-grants.js';

/** Who a purchase belongs to, and the id by which they are known to whoever brought it. */
interface Owner {
  customer: CustomerRow;
  seenAs: string;
}

/** One VIRTUAL_CURRENCY_TRANSACTION. */
export interface CurrencyEvent extends Owner {
  dedupeKey: string;
  event: CurrencyEventContext;
}

/** What the purchases of one change credit, and what its refunds take back. */
export class CurrencyMoves {
  private readonly credited: PurchaseCredit[] = [];
  private missingEvents: CurrencyEvent[] = [];
  private readonly returned: (Owner & { back: PurchaseReturn })[] = [];

  constructor(
    private readonly catalog: Catalog,
    private readonly nowMs: number,
  ) {}

  /** Nothing is credited to a blocked customer. */
  addSale(entry: LedgerEntry, purchase: CreditedPurchase, { customer, seenAs }: Owner): void {
    const credit = customer.blocked ? null : currencyCredit(entry, purchase, this.catalog, this.nowMs);
    if (!credit) return;
    this.credited.push(credit);
    this.missingEvents.push({ customer, seenAs, dedupeKey: `vc:${credit.sourceKey}`, event: credit.event });
  }

  addReturns(returns: Return[], purchase: CreditedPurchase, { customer, seenAs }: Owner): void {
    for (const back of returns) {
      const { part, whole } = back;
      const sourceKey = currencySource(purchase, back.periodKey);
      this.returned.push({ back: { sourceKey, part, whole, back, purchase }, customer, seenAs });
    }
  }

  get credits(): CurrencyCredit[] {
    return this.credited.flatMap(({ credits }) => credits);
  }

  get returns(): PurchaseReturn[] {
    return this.returned.map(({ back }) => back);
  }

  /**
   * What the credits came to. Where that is less, the events say so: also those asked for before, whose bodies hold
   * the same adjustments.
   */
  settle(given: Pick<CurrencyMovement, 'id' | 'code' | 'amount'>[]): void {
    for (const { id, code, amount } of given) {
      const credit = this.credited.find(({ event }) => event.transactionId === id);
      const adjustment = credit?.event.adjustments.find(({ currency }) => currency.code === code);
      if (adjustment) adjustment.amount = amount;
    }
  }

  /** Of what was credited since they were asked for last. */
  creditEvents(): CurrencyEvent[] {
    const missingEvents = this.missingEvents;
    this.missingEvents = [];
    return missingEvents;
  }

  /**
   * `taken` is what there was to take back. Whoever got it is told, also when the purchase has gone to another customer
   * since: one of `locked`.
   */
  returnEvents(taken: TakenBack[], locked: CustomerRow[]): CurrencyEvent[] {
    return this.returned.flatMap(({ back, customer, seenAs }) => {
      const own = taken.filter(({ sourceKey }) => sourceKey === back.sourceKey);
      const [first] = own;
      const holder = [customer, ...locked].find(({ id }) => id === first?.customerId);
      if (!first || !holder) return [];
      return {
        customer: holder,
        seenAs: holder === customer ? seenAs : holder.originalAppUserId,
        dedupeKey: `vcr:${first.transactionId}`,
        event: returnEvent(back, own, this.catalog),
      };
    });
  }
}
