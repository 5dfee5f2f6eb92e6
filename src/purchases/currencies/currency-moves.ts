import type { LedgerEntry, Return } from '../../../libs/engine/index.js';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import type { CurrencyMovement } from './balances.repository.js';
import type { CustomerRow } from '../../customers/customers/identity/customer-state.js';
import type { CurrencyEventContext } from '../../webhooks/events/currency-event-body.js';
import {
  type CreditedPurchase,
  type CurrencyCredit,
  currencyCredit,
  currencySource,
  type PurchaseCredit,
  type PurchaseReturn,
  type RevokedCurrency,
  returnEvent,
} from './currency-grants.js';

interface Owner {
  customer: CustomerRow;
  seenAs: string;
}

/** One VIRTUAL_CURRENCY_TRANSACTION. */
export interface CurrencyEvent extends Owner {
  dedupeKey: string;
  event: CurrencyEventContext;
}

export interface CurrencyRevocations {
  revoked: RevokedCurrency[];
  /** Locked customers outside the change from whom currency was revoked. */
  otherHolders: CustomerRow[];
}

/** The currency that the sales and refunds of one change credit and revoke. */
export class CurrencyMoves {
  private readonly credited: PurchaseCredit[] = [];
  private missingEvents: CurrencyEvent[] = [];
  private readonly returned: (Owner & { back: PurchaseReturn })[] = [];

  constructor(
    private readonly catalog: Catalog,
    private readonly nowMs: number,
  ) {}

  /** Blocked customers receive no credits. */
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

  /** Updates amounts that the balance limit reduced, also in events already returned: they share the adjustments. */
  updateCredits(credited: Pick<CurrencyMovement, 'id' | 'code' | 'amount'>[]): void {
    for (const { id, code, amount } of credited) {
      const credit = this.credited.find(({ event }) => event.transactionId === id);
      const adjustment = credit?.event.adjustments.find(({ currency }) => currency.code === code);
      if (adjustment) adjustment.amount = amount;
    }
  }

  /** Returns the events of credits since the last call. */
  creditEvents(): CurrencyEvent[] {
    const missingEvents = this.missingEvents;
    this.missingEvents = [];
    return missingEvents;
  }

  /** The event goes to the customer (in `locked`) who received the currency, even if the purchase has moved since. */
  returnEvents(revoked: RevokedCurrency[], locked: CustomerRow[]): CurrencyEvent[] {
    return this.returned.flatMap(({ back, customer, seenAs }) => {
      const own = revoked.filter(({ sourceKey }) => sourceKey === back.sourceKey);
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
