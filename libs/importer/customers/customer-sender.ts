import type { ImportCustomer } from '../customer-item.js';
import { HttpRefusal, HttpUnavailable } from '../http/http-client.js';
import type { PassLedger } from '../run/pass-ledger.js';
import type { TargetApi } from '../target/target-api.js';

const MAX_CUSTOMERS = 100;
const CUSTOMER_PARAM = /^customers\.(\d+)(?:\.|$)/;

export interface SenderOptions {
  emitEvents: boolean;
  resolveStoreIds: boolean;
  /** Send nothing and count what would be sent. */
  dryRun: boolean;
}

/**
 * Sends customers to the target. Uses smaller batches if the target cannot handle them, and skips customers it rejects.
 */
export class CustomerSender {
  constructor(
    private readonly target: TargetApi,
    private readonly options: SenderOptions,
    private readonly ledger: PassLedger,
  ) {}

  /** @throws ImportFailed if the target cannot be used */
  async send(customers: readonly ImportCustomer[], asOf: number): Promise<void> {
    for (let start = 0; start < customers.length; start += MAX_CUSTOMERS) {
      const part = customers.slice(start, start + MAX_CUSTOMERS);
      if (this.options.dryRun) this.countUnsent(part);
      else await this.sendPart(part, asOf);
    }
  }

  private async sendPart(customers: readonly ImportCustomer[], asOf: number): Promise<void> {
    if (customers.length === 0) return;
    try {
      const { emitEvents, resolveStoreIds } = this.options;
      const body = {
        customers: [...customers],
        emit_events: emitEvents,
        resolve_store_ids: resolveStoreIds,
        as_of: asOf,
      };
      const result = await this.target.importCustomers(body, customers.length > 1);
      this.countSent(customers, result.customers);
    } catch (error) {
      await this.sendLess(customers, asOf, error);
    }
  }

  /** Retries after a failure without the customer at fault, or in halves. @throws the error if neither would help */
  private async sendLess(customers: readonly ImportCustomer[], asOf: number, error: unknown): Promise<void> {
    const refusal = error instanceof HttpRefusal ? error : null;
    const refused = refusal?.status === 400 ? CUSTOMER_PARAM.exec(refusal.param ?? '')?.[1] : undefined;
    const index = refused === undefined ? -1 : Number(refused);
    const culprit = customers[index];
    if (refusal && culprit) {
      this.ledger.error(culprit.id, `${refusal.param ?? ''}: ${refusal.message}`);
      return this.sendPart([...customers.slice(0, index), ...customers.slice(index + 1)], asOf);
    }
    const isTooMuch = refusal?.status === 413 || (error instanceof HttpUnavailable && error.isTimeout);
    const [only] = customers;
    if (isTooMuch && customers.length > 1) {
      const middle = Math.ceil(customers.length / 2);
      await this.sendPart(customers.slice(0, middle), asOf);
      return this.sendPart(customers.slice(middle), asOf);
    }
    if (refusal?.status === 413 && only) return this.ledger.error(only.id, refusal.message);
    throw error;
  }

  private countSent(
    sent: readonly ImportCustomer[],
    rows: readonly {
      status: string;
      id: string;
      subscriptions: number;
      purchases: number;
      notes?: string[];
    }[],
  ): void {
    for (const row of rows) {
      if (row.status === 'created' || row.status === 'updated' || row.status === 'merged') {
        this.ledger.count(row.status);
      }
      this.ledger.count('subscriptions', row.subscriptions);
      this.ledger.count('purchases', row.purchases);
      for (const note of row.notes ?? []) this.ledger.note(row.id, note);
    }
    this.countDetails(sent);
  }

  private countUnsent(customers: readonly ImportCustomer[]): void {
    for (const { subscriptions = [], purchases = [] } of customers) {
      this.ledger.count('subscriptions', subscriptions.length);
      this.ledger.count('purchases', purchases.length);
    }
    this.countDetails(customers);
  }

  private countDetails(customers: readonly ImportCustomer[]): void {
    for (const { subscriptions = [], virtual_currencies: balances = {} } of customers) {
      const transactions = subscriptions.reduce((sum, { transactions: list = [] }) => sum + list.length, 0);
      this.ledger.count('transactions', transactions);
      this.ledger.count('balances', Object.keys(balances).length);
      const withToken = subscriptions.filter(({ purchase_token: token }) => token !== undefined).length;
      this.ledger.count('google_tokens_used', withToken);
    }
  }
}
