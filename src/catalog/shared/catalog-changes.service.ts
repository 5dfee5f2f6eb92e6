import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/database.service.js';

/** A product, as other features derive rows from it. Its app and its store identifier are permanent. */
export interface ChangedProduct {
  id: string;
  appId: string;
  storeIdentifier: string;
  type: string;
  displayName: string | null;
  duration: string | null;
}

export type CatalogChange =
  /** Products are created (no `before`), updated, or deleted (no `after`). */
  | {
      kind: 'products';
      products: readonly { before: ChangedProduct | null; after: ChangedProduct | null }[];
    }
  /** Products are attached to an entitlement or detached from it. Some may have been so already. */
  | { kind: 'attachments'; products: readonly ChangedProduct[] }
  | { kind: 'entitlement_deleted'; entitlementId: string }
  /** The app is about to be deleted, with its products. */
  | { kind: 'app_deleted'; appId: string }
  | { kind: 'chart_attributes' };

type Listener = (tx: Transaction, projectId: string, change: CatalogChange) => Promise<void>;

/**
 * Steps that other features take in the transaction that changes a catalog. They are no triggers, because on Citus a
 * trigger of a table that each node has a copy of cannot write a distributed table.
 */
@Injectable()
export class CatalogChanges {
  private readonly listeners: Listener[] = [];

  register(listener: Listener): void {
    this.listeners.push(listener);
  }

  async publish(tx: Transaction, projectId: string, change: CatalogChange): Promise<void> {
    for (const listener of this.listeners) await listener(tx, projectId, change);
  }
}
