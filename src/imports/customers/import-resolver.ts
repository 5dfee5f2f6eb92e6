import type { Environment } from '../../../libs/engine/index.js';
import type { Verified } from '../../../libs/stores/index.js';
import type { Transaction } from '../../platform/database/database.service.js';
import type { ImportedCustomerDto } from './customer-import.dto.js';
import type { ImportedPurchaseDto } from './imported-purchase.dto.js';
import type { ImportedSubscriptionDto } from './imported-subscription.dto.js';

/** A store's answer about one item, received before anything is written. */
export interface Resolution {
  /** The keys that the store confirmed; they replace the item's. */
  originalTransactionId?: string;
  purchaseToken?: string;
  /** The environment in which the store knows it. */
  environment?: Environment;
  /** The store's report, recorded like one from a receipt, without events unless they are wanted. */
  verified?: Pick<Verified, 'environment' | 'purchases'>;
  /** The store has just answered that it does not know the item. */
  isUnknown?: true;
  /** Reported with the item. The item is left out if it has no dates and there is no report. */
  note?: string;
}

export type Resolutions = ReadonlyMap<ImportedSubscriptionDto | ImportedPurchaseDto, Resolution>;

/** A recorded subscription for which stores may have further data. */
export interface UnresolvedSubscription {
  id: string;
  appId: string;
  environment: string;
  startedAtMs: number;
  /** The store has just answered that it does not know it, so it is not asked again for a while. */
  isUnknown: boolean;
}

/** Asks stores about the keys of imported purchases. */
export abstract class ImportResolver {
  /** Runs before the transaction, for a few seconds at most. Never throws a store's error. */
  abstract resolve(
    projectId: string,
    customers: readonly ImportedCustomerDto[],
    emits: boolean,
  ): Promise<Resolutions>;
  /** Runs in the transaction. The remaining subscriptions are resolved in the background. */
  abstract later(tx: Transaction, projectId: string, left: UnresolvedSubscription[]): Promise<void>;
}
