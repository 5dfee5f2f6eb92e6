import type { VerifiedPurchase } from '../../../libs/stores/index.js';
import type { AttributeInput } from '../../customers/customers/attribute-merge.js';
import type { FirstInstallation } from '../../customers/customers/customers.service.js';
import type { OwnershipClaim } from './ownership.policy.js';

/** Purchases that a store vouches for, and the customer who posted them. */
export interface PostedPurchases extends OwnershipClaim {
  appId: string;
  purchases: VerifiedPurchase[];
  /** Checked attributes that came along, and who says so. */
  attributes: AttributeInput[];
  attributeSource: 'sdk' | 'api';
  /** What the receipt shows of the installation of the app. */
  installation?: FirstInstallation;
  /** The purchases as the store vouches for them at the time of a test clock. For stores that can. */
  atTestClock?: (nowMs: number) => Promise<VerifiedPurchase[]>;
}

/** Purchases, and the id of their owner by which a request or the store knows them. */
export type OwnedPurchases = Pick<
  PostedPurchases,
  'appId' | 'store' | 'environment' | 'purchases' | 'appUserId'
>;

export type PostedAttributes = Pick<PostedPurchases, 'attributes' | 'attributeSource'>;
