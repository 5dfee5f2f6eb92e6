import { compareCustomers } from './compare-customers.js';
import type { AccessSubscription, CustomerState, Difference } from './verify.model.js';

/** One of the two projects that are compared. */
export interface VerifySide {
  /** Ids in the list of customers, each once. It may lack some that are known by id. */
  listedIds(): AsyncIterable<string>;
  /** By id or alias; null: not known. A listed id needs no request to find out whose it is. */
  customer(id: string, isListed: boolean): Promise<CustomerState | null>;
}

export interface VerifyTarget extends VerifySide {
  /** Id of the customer who has this app user id; null: not known. */
  ownerOf(id: string): Promise<string | null>;
  /** Id of the subscription that ever had this identifier at its store; null: none. */
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
    // An alias at the source: its customer is checked by their own id, unless the alias is someone else here.
    if (source.id !== id && (await this.target.ownerOf(source.id)) === target.id) return [];
    const options = { nowMs: this.options.nowMs(), toleranceMs: this.options.toleranceMs };
    const found = compareCustomers(id, source, target, options);
    const isUnfolded = found.some((each) => each.type === 'subscription_count' && each.fixable_by_import);
    if (!isUnfolded) return found;
    const accessSubscriptions = await this.folded(source.accessSubscriptions);
    return compareCustomers(id, { ...source, accessSubscriptions }, target, options);
  }

  /** The source opens a new subscription after a lapse or a change of product; a store, and so the target, keeps one. */
  private async folded(subscriptions: AccessSubscription[]): Promise<AccessSubscription[]> {
    const folded = new Map<string, AccessSubscription>();
    for (const each of subscriptions) {
      const known = await this.target.subscriptionOf(each.storeIdentifier);
      folded.set(known ?? `source ${each.id}`, each);
    }
    return [...folded.values()];
  }
}
