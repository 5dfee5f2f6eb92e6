import { Injectable } from '@nestjs/common';
import type { Store } from '../../../../libs/engine/index.js';
import type { StoreAccount } from '../../../../libs/stores/index.js';
import { storesWithKeysOf } from '../customer-info/customer-purchases.js';
import type { Executor, Transaction } from '../../../platform/database/database.service.js';
import { StoreAccountsRepository } from './store-accounts.repository.js';

/** A store account as identified by one app of the project. */
export interface AppAccount extends StoreAccount {
  appId: string;
}

export function accountName({ appId, kind, key }: AppAccount): string {
  return `${appId} ${kind} ${key}`;
}

export interface AccountOwner extends AppAccount {
  customerId: string;
}

export interface AccountLocks {
  projectId: string;
  store: Store;
  environment: string;
  keys: string[];
  accounts: AppAccount[];
}

/** A receipt can contain hundreds of purchases. Beyond this limit, their unique keys prevent duplicates. */
const MAX_PURCHASE_LOCKS = 8;

/** Finds the customers of store accounts. */
@Injectable()
export class StoreAccountsService {
  constructor(private readonly repository: StoreAccountsRepository) {}

  /**
   * Locks purchases and store accounts until the transaction ends, whether or not they are known yet. Must precede the
   * locks of customers. Excludes the Test Store, where only one app can report a purchase.
   */
  async lock(tx: Transaction, wanted: AccountLocks[]): Promise<void> {
    const names = wanted.flatMap(({ projectId, store, environment, keys, accounts }) => {
      if (store === 'test_store') return [];
      return [
        ...accounts.map((account) => `${projectId} account ${accountName(account)}`),
        ...keys
          .slice(0, MAX_PURCHASE_LOCKS)
          .map((key) => `${projectId} purchase ${storesWithKeysOf(store)[0]} ${environment} ${key}`),
      ];
    });
    if (names.length > 0) await this.repository.lock(tx, names);
  }

  /**
   * Stores accounts for their owners. The accounts must be locked. An account that already has a customer is not moved,
   * unless the customer is in `replaced`.
   */
  async assignAccounts(
    tx: Transaction,
    projectId: string,
    owners: AccountOwner[],
    nowMs: number,
    replaced: string[] = [],
  ): Promise<void> {
    const seen = new Map(owners.map((owner) => [accountName(owner), owner]));
    if (seen.size === 0) return;
    await this.repository.assign(tx, projectId, [...seen.values()], new Date(nowMs), replaced);
  }

  /** Keys of the store accounts of a purchase's owner, most recently seen first. */
  accountsOfOwner(
    projectId: string,
    appId: string,
    kind: StoreAccount['kind'],
    purchase: { store: Store; key: string },
  ): Promise<string[]> {
    const stores = storesWithKeysOf(purchase.store);
    return this.repository.keysOfOwner(projectId, appId, kind, { stores, key: purchase.key });
  }

  /** The first of the app user ids that is in use, or null. */
  firstKnown(executor: Executor, projectId: string, appUserIds: string[]): Promise<string | null> {
    return this.repository.firstKnown(executor, projectId, appUserIds);
  }

  /** The app user id in use with the given SHA-256 in hexadecimal, or null. */
  hashedAs(executor: Executor, projectId: string, hash: string): Promise<string | null> {
    return this.repository.hashedAs(executor, projectId, hash.toLowerCase());
  }
}
