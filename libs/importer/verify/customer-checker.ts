import { compareCustomers } from './compare-customers.js';
import type { AccessSubscription, CustomerState, Difference } from './verify.model.js';

/** One of the two projects being compared. */
export interface VerifySide {
  /** Yields each listed customer id once. The list may lack some that can be read by id. */
  listedIds(): AsyncIterable<string>;
  /** Finds a customer by id or alias; null if unknown. For a listed id, no request is needed to find its owner. */
  customer(id: string, isListed: boolean): Promise<CustomerState | null>;
}

export interface VerifyTarget extends VerifySide {
  /** Returns the id of the customer with this app user id; null if unknown. */
  ownerOf(id: string): Promise<string | null>;
  /** Returns the id of the subscription that ever had this store identifier; null if there is none. */
  subscriptionOf(storeIdentifier: string): Promise<string | null>;
}

export interface ListedId {
  id: string;
  inSource: boolean;
  inTarget: boolean;
}

export interface Checked {
  source: CustomerState | null;
  target: CustomerState | null;
  differences: Difference[];
}

export class CustomerChecker {
  constructor(
    private readonly source: VerifySide,
    private readonly target: VerifyTarget,
    private readonly options: { nowMs: () => number; toleranceMs: number },
  ) {}

  async check({ id, inSource, inTarget }: ListedId): Promise<Checked> {
    const [source, target] = await Promise.all([
      this.source.customer(id, inSource),
      this.target.customer(id, inTarget),
    ]);
    return { source, target, differences: await this.differences(id, source, target) };
  }

  private async differences(
    id: string,
    source: CustomerState | null,
    target: CustomerState | null,
  ): Promise<Difference[]> {
    if (!source && !target) return [];
    if (!source) return [{ id, type: 'only_in_target', source: null, target: id, fixable_by_import: false }];
    if (!target)
      return [{ id, type: 'missing_in_target', source: source.id, target: null, fixable_by_import: true }];
    // This is an alias at the source. Its customer is checked by its own id, unless the alias belongs to another
    // customer here.
    if (source.id !== id && (await this.target.ownerOf(source.id)) === target.id) return [];
    const options = { nowMs: this.options.nowMs(), toleranceMs: this.options.toleranceMs };
    const found = compareCustomers(id, source, target, options);
    const isUnfolded = found.some((each) => each.type === 'subscription_count' && each.fixable_by_import);
    if (!isUnfolded) return found;
    const accessSubscriptions = await this.folded(source.accessSubscriptions);
    return compareCustomers(id, { ...source, accessSubscriptions }, target, options);
  }

  /**
   * The source starts a new subscription after a lapse or a product change; a store, and so the target, has only one.
   */
  private async folded(subscriptions: AccessSubscription[]): Promise<AccessSubscription[]> {
    const folded = new Map<string, AccessSubscription>();
    for (const each of subscriptions) {
      const known = await this.target.subscriptionOf(each.storeIdentifier);
      folded.set(known ?? `source ${each.id}`, each);
    }
    return [...folded.values()];
  }
}
