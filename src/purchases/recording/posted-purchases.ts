import type { VerifiedPurchase } from '../../../libs/stores/index.js';
import type { AttributeInput } from '../../customers/customers/identity/attribute-merge.js';
import type { AttributeSource } from '../../customers/customers/identity/customer-state.js';
import type { FirstInstallation } from '../../customers/customers/identity/customers.service.js';
import type { OwnershipClaim } from '../ownership/ownership.policy.js';
import type { ReportedPurchases } from '../ownership/reported-owners.service.js';

export interface PostedPurchases extends OwnershipClaim {
  appId: string;
  purchases: VerifiedPurchase[];
  /** Validated attributes of the same request, and their writer. */
  attributes: AttributeInput[];
  attributeSource: AttributeSource;
  installation?: FirstInstallation;
  /** Returns the purchases at a test clock's time. Only for stores that support test clocks. */
  atTestClock?: (nowMs: number) => Promise<VerifiedPurchase[]>;
}

/** Purchases and the owner's app user id in the request or the store's report. */
export interface OwnedPurchases extends Omit<ReportedPurchases, 'projectId'> {
  appUserId: string;
}

export type PostedAttributes = Pick<PostedPurchases, 'attributes' | 'attributeSource'>;
