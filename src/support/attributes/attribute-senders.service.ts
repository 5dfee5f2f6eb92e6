import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import type { CustomerRow } from '../../customers/customers/identity/customer-state.js';
import { CustomersService } from '../../customers/customers/identity/customers.service.js';
import { type Device, LastSeenRecorder } from '../../customers/customers/last-seen/last-seen.recorder.js';
import type { Transaction } from '../../platform/database/database.service.js';
import type { SdkPrincipal } from '../../platform/principal/principal.js';

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

@Injectable()
export class AttributeSendersService {
  constructor(
    private readonly customers: CustomersService,
    private readonly lastSeen: LastSeenRecorder,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Locks the customer, creating unknown ones, and updates `last_seen` and the device at `nowMs`. */
  async lock(
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
    if (device) tx.afterCommit(() => this.lastSeen.seenIn(projectId, customer, nowMs, device));
    return { customer, nowMs };
  }
}
