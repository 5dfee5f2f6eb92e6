import type { Environment } from '../../../libs/engine/index.js';
import type { Verified } from '../../../libs/stores/index.js';
import type { Transaction } from '../../platform/database/database.service.js';
import type { ImportedCustomerDto } from './customer-import.dto.js';
import type { ImportedPurchaseDto } from './imported-purchase.dto.js';
import type { ImportedSubscriptionDto } from './imported-subscription.dto.js';

/** What a store said about one item before anything was written. */
export interface Resolution {
  /** The keys that the store confirmed; they replace those of the item. */
  originalTransactionId?: string;
  purchaseToken?: string;
  /** Where the store knows it. */
  environment?: Environment;
  /** The store's report, recorded as from any receipt, quietly unless events are wanted. */
  verified?: Pick<Verified, 'environment' | 'purchases'>;
  /** The store has just answered that it does not know the item. */
  isUnknown?: true;
  /** Reported with the item, which is left out if it has no dates and there is no report. */
  note?: string;
}

export type Resolutions = ReadonlyMap<ImportedSubscriptionDto | ImportedPurchaseDto, Resolution>;

/** A recorded subscription that stores may know more about. */
export interface UnresolvedSubscription {
  id: string;
  appId: string;
  environment: string;
  startedAtMs: number;
  /** The store has just answered that it does not know it: it is not asked again for a while. */
  isUnknown: boolean;
}

/** Asks stores about the keys of imported purchases. */
export abstract class ImportResolver {
  /** Before the transaction, for a few seconds at most. Never throws a store's error. */
  abstract resolve(
    projectId: string,
    customers: readonly ImportedCustomerDto[],
    emits: boolean,
  ): Promise<Resolutions>;
  /** In the transaction: what is left is resolved in the background. */
  abstract later(tx: Transaction, projectId: string, left: UnresolvedSubscription[]): Promise<void>;
}
