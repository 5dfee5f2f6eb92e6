import { Inject, Injectable } from '@nestjs/common';
import type { Store } from '../../../../libs/engine/index.js';
import type { Clock } from '../../../../libs/kernel/index.js';
import type { SdkPrincipal } from '../../../platform/principal/principal.js';
import { CatalogService } from '../../../catalog/snapshot/catalog.service.js';
import { storesOfPlatform } from '../../../catalog/snapshot/platform.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import { ConcurrentChange } from '../../../platform/database/database-errors.js';
import { assertAppUserId } from '../../../platform/http/bodies/app-user-id.js';
import { timeOf } from '../identity/customer-state.js';
import { type CustomerInfoParts, prepareSnapshot } from './customer-info.js';
import {
  CustomersRepository,
  type NewCustomer,
  newCustomer,
  newCustomerRow,
} from '../identity/customers.repository.js';
import type { Device } from '../last-seen/device.js';
import { LastSeenRecorder } from '../last-seen/last-seen.recorder.js';
import { withStoreUrl } from './management-url.js';
import { type PreparedSnapshot, type SnapshotRow, SnapshotsRepository } from './snapshots.repository.js';

export interface CustomerInfo extends CustomerInfoParts {
  created: boolean;
  /** Tag of the time-independent part, excluding attributes. */
  etag: string;
}

/** The caller. Backends also receive the attributes. A read without a device does not update `last_seen`. */
export interface CustomerInfoReader {
  principal: SdkPrincipal;
  device: Device | null;
  /** Creates and records nothing. An unknown id receives a new customer's answer. */
  onlyLooks?: boolean;
}

type Prepared = Pick<PreparedSnapshot, 'subscriber' | 'storeUrls' | 'etag'>;

const MAX_TRIES = 3;

/** The answer prepared for the current state; null if there is none. */
function keptIn({ subscriber, storeUrls, etag }: SnapshotRow): Prepared | null {
  return subscriber !== null && etag !== null ? { subscriber, storeUrls, etag } : null;
}

/** Epoch ms, read from a prepared answer. */
function firstSeenOf(subscriber: string): number {
  return Date.parse((JSON.parse(subscriber) as { first_seen: string }).first_seen);
}

/** The SDKs' most frequent call: a customer's purchases, from one narrow read. */
@Injectable()
export class CustomerInfoService {
  constructor(
    private readonly snapshots: SnapshotsRepository,
    private readonly customers: CustomersRepository,
    private readonly catalogs: CatalogService,
    private readonly lastSeen: LastSeenRecorder,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Creates the customer on the first request. @throws ApiError 400, code 7220, for an invalid id */
  async getOrCreate(projectId: string, appUserId: string, reader: CustomerInfoReader): Promise<CustomerInfo> {
    assertAppUserId(appUserId);
    const { principal } = reader;
    const prepared = await this.prepared(projectId, appUserId, reader);
    const info = prepared.storeUrls ? withStoreUrl(prepared, await this.storesOf(reader)) : prepared;
    return principal.kind === 'secret_key'
      ? { ...info, attributes: await this.customers.attributes(projectId, appUserId) }
      : info;
  }

  /** The app's store; for backends, the stores of the platform in the request. */
  private async storesOf({ principal, device }: CustomerInfoReader): Promise<readonly Store[]> {
    if (principal.kind === 'secret_key') return storesOfPlatform(device?.platform);
    const { app } = await this.catalogs.ofApp(principal.projectId, principal.appId);
    return [app.type];
  }

  private async prepared(
    projectId: string,
    appUserId: string,
    { device: shown, onlyLooks = false }: CustomerInfoReader,
  ): Promise<CustomerInfo> {
    const device = onlyLooks ? null : shown;
    for (let attempt = 1; ; attempt++) {
      const row = await this.snapshots.read(projectId, appUserId);
      const info = row
        ? await this.existing(projectId, appUserId, row, device)
        : await this.newcomer(projectId, newCustomer(appUserId, device, this.clock.nowMs()), onlyLooks);
      if (info) return info;
      // Another request created, merged or deleted the customer in the meantime, so read again.
      if (attempt === MAX_TRIES) {
        throw new ConcurrentChange('a customer changes faster than it can be read');
      }
    }
  }

  /** Creates the customer unless the call is read-only; null if another request created it first. */
  private async newcomer(
    projectId: string,
    newcomer: NewCustomer,
    onlyLooks: boolean,
  ): Promise<CustomerInfo | null> {
    const nowMs = this.clock.nowMs();
    const info = onlyLooks
      ? prepareSnapshot(newCustomerRow(newcomer, false, nowMs), await this.catalogs.get(projectId), nowMs)
      : await this.create(projectId, newcomer, nowMs);
    return info && { ...info, created: true, lastSeenAtMs: nowMs, testClockMs: null, attributes: null };
  }

  private async create(projectId: string, newcomer: NewCustomer, nowMs: number): Promise<Prepared | null> {
    const created = await this.customers.create(projectId, [newcomer], nowMs);
    if (!created.has(newcomer.id)) return null;
    this.lastSeen.recordDay(projectId, newcomer.id, null, nowMs);
    return this.prepare(projectId, newcomer.appUserId);
  }

  /** The answer for callers other than the customer's device, without updating `last_seen`; null if deleted. */
  async find(projectId: string, customerId: string): Promise<CustomerInfo | null> {
    const appUserId = await this.snapshots.anyAlias(projectId, customerId);
    const row = appUserId === null ? null : await this.snapshots.read(projectId, appUserId);
    if (appUserId === null || !row) return null;
    const info = keptIn(row) ?? (await this.prepare(projectId, appUserId, row.catalogVersion));
    return info && this.presented(info, row, null);
  }

  /** Null if the customer has been deleted or merged in the meantime. */
  private async existing(
    projectId: string,
    appUserId: string,
    row: SnapshotRow,
    device: Device | null,
  ): Promise<CustomerInfo | null> {
    const nowMs = this.clock.nowMs();
    if (device) this.lastSeen.recordContact(projectId, row.customerId, row.lastSeenAtMs, nowMs, device);
    const seenAtMs = device ? nowMs : null;
    const info = keptIn(row) ?? (await this.prepare(projectId, appUserId, row.catalogVersion));
    return info && this.presented(info, row, seenAtMs);
  }

  /** The answer about a known customer. `seenAtMs`: when the customer's device called; null for other callers. */
  private presented(prepared: Prepared, row: SnapshotRow, seenAtMs: number | null): CustomerInfo {
    const { testClockMs } = row;
    // If the customer's device has never called, `last_seen` is the first-seen time.
    const lastSeenAtMs = row.lastSeenAtMs ?? seenAtMs ?? firstSeenOf(prepared.subscriber);
    return { ...prepared, created: false, lastSeenAtMs, testClockMs, attributes: null };
  }

  /** Prepares and stores the answer; null if the customer no longer exists. */
  private async prepare(
    projectId: string,
    appUserId: string,
    catalogVersion?: number,
  ): Promise<Prepared | null> {
    const catalog = await this.catalogs.get(projectId, catalogVersion);
    const customer = await this.customers.find(projectId, appUserId);
    if (!customer) return null;
    const snapshot = prepareSnapshot(customer, catalog, timeOf(customer, this.clock.nowMs()));
    await this.snapshots.write(projectId, snapshot);
    return snapshot;
  }
}
