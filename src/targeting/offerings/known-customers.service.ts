import { Injectable } from '@nestjs/common';
import type { Enrollment } from '../../../libs/targeting/index.js';
import type { Catalog } from '../../catalog/snapshot/catalog.model.js';
import { CUSTOMERS_CHANGED, readCustomersChanged } from '../../customers/customers/customers-changed.js';
import { NotificationListenerService } from '../../platform/database/notification-listener.service.js';

/** The customer's variant, or that no running experiment can ever admit the customer. */
export type Known = Enrollment | 'out';

interface Entry {
  version: number;
  epoch: number;
  known: Known;
}

/** Of each of two generations: the older one goes when the newer one is full. */
const MAX_ENTRIES = 100_000;

const keyOf = (projectId: string, appUserId: string): string => `${projectId}\n${appUserId}`;

/**
 * What experiments mean to customers who asked before, so that most requests read nothing. It holds for one version of
 * the catalog, and until the id belongs to another customer, which every replica hears. A replica that cannot
 * hear does not use it.
 */
@Injectable()
export class KnownCustomers {
  private young = new Map<string, Entry>();
  private old = new Map<string, Entry>();
  private readonly epochs = new Map<string, number>();
  private changes = 0;

  constructor(private readonly listener: NotificationListenerService) {
    listener.on(CUSTOMERS_CHANGED, (payload) => this.forget(payload));
  }

  /** To be taken before the customer is read, and given to `remember`. */
  get mark(): number {
    return this.changes;
  }

  find({ projectId, version }: Catalog, appUserId: string): Known | null {
    if (!this.listener.connected) return null;
    const key = keyOf(projectId, appUserId);
    const entry = this.young.get(key) ?? this.old.get(key);
    if (!entry || entry.version !== version || entry.epoch !== this.epochOf(projectId)) return null;
    return entry.known;
  }

  /** Does nothing if any customer has changed since `mark`: the read may be older than the change. */
  remember({ projectId, version }: Catalog, appUserId: string, known: Known, mark: number): void {
    if (mark !== this.changes || !this.listener.connected) return;
    if (this.young.size >= MAX_ENTRIES) {
      this.old = this.young;
      this.young = new Map();
    }
    this.young.set(keyOf(projectId, appUserId), { version, epoch: this.epochOf(projectId), known });
  }

  private epochOf(projectId: string): number {
    return this.epochs.get(projectId) ?? 0;
  }

  private forget(payload: string): void {
    this.changes += 1;
    // The connection was lost for a while.
    if (payload === '') return this.clear();
    const { projectId, appUserIds } = readCustomersChanged(payload);
    if (appUserIds === null) this.epochs.set(projectId, this.epochOf(projectId) + 1);
    for (const appUserId of appUserIds ?? []) {
      this.young.delete(keyOf(projectId, appUserId));
      this.old.delete(keyOf(projectId, appUserId));
    }
  }

  private clear(): void {
    this.young.clear();
    this.old.clear();
  }
}
