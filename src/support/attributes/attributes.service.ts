import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { CatalogService } from '../../catalog/snapshot/catalog.service.js';
import type { AttributeInput } from '../../customers/customers/identity/attribute-merge.js';
import type { CustomerRow } from '../../customers/customers/identity/customer-state.js';
import { CustomersService } from '../../customers/customers/identity/customers.service.js';
import type { Device } from '../../customers/customers/last-seen/device.js';
import { LastSeenRecorder } from '../../customers/customers/last-seen/last-seen.recorder.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { DatabaseService, type Transaction } from '../../platform/database/database.service.js';
import type { SdkPrincipal } from '../../platform/principal/principal.js';
import { AttributeChangesService } from './attribute-changes.service.js';
import { AttributesRepository } from './attributes.repository.js';

/** The customer whose data an SDK, or a backend through the SDK's route, sends. */
export interface AttributeSender {
  projectId: string;
  appUserId: string;
  /** Null for a backend's request, which does not update `last_seen`. */
  device: Device | null;
}

export function senderOf(
  { projectId, kind }: SdkPrincipal,
  appUserId: string,
  device: Device,
): AttributeSender {
  return { projectId, appUserId, device: kind === 'secret_key' ? null : device };
}

export interface AttributePost extends AttributeSender {
  inputs: AttributeInput[];
}

@Injectable()
export class AttributesService {
  constructor(
    private readonly repository: AttributesRepository,
    private readonly customers: CustomersService,
    private readonly lastSeen: LastSeenRecorder,
    private readonly catalogs: CatalogService,
    private readonly changes: AttributeChangesService,
    private readonly database: DatabaseService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Saves newer values and creates unknown customers. Returns the names rejected because there are too many. */
  async post({ inputs, ...sender }: AttributePost): Promise<string[]> {
    const catalog = await this.catalogs.get(sender.projectId);
    return this.database.transaction(
      async (tx) => {
        const { customer, nowMs } = await this.lockSender(tx, sender);
        const source = sender.device ? 'sdk' : 'api';
        const seen = sender.device ? [customer.id] : [];
        return this.changes.save(tx, catalog, customer, inputs, { source, overrules: false, nowMs }, seen);
      },
      { retryUniqueViolation: true },
    );
  }

  /** Stores Apple's attribution token for a customer, creating unknown ones. */
  async saveAdServicesToken(sender: AttributeSender, token: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      const { customer } = await this.lockSender(tx, sender);
      await this.repository.keepToken(tx, sender.projectId, customer.id, token);
    });
  }

  /** Locks the customer, creating unknown ones, and updates `last_seen` and the device at `nowMs`. */
  private async lockSender(
    tx: Transaction,
    { projectId, appUserId, device }: AttributeSender,
  ): Promise<{ customer: CustomerRow; nowMs: number }> {
    const nowMs = this.clock.nowMs();
    const wanted = { appUserIds: [appUserId] };
    const { customer } = await this.customers.lockOrCreate(
      tx,
      projectId,
      { appUserId, device },
      wanted,
      nowMs,
    );
    if (device) tx.afterCommit(() => this.lastSeen.recordContactOf(projectId, customer, nowMs, device));
    return { customer, nowMs };
  }
}
