import { Inject, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import type { AppPlace } from '../../platform/jobs/project-claims.js';
import { LeasedWorkFactory } from '../../platform/jobs/leased-work.factory.js';
import { LeasedWorkJob } from '../../platform/jobs/leased-work.job.js';
import { type Lease, type LeasedWork } from '../../platform/jobs/leased-work.js';
import { OutboundRequestFailed } from '../../platform/outbound/outbound-errors.js';
import { OutboundHttpClient } from '../../platform/outbound/outbound-http.client.js';
import {
  type ClaimedCopy,
  type CopyResult,
  NotificationCopiesRepository,
} from './notification-copies.repository.js';
import { NotificationBodiesService } from './notification-bodies.service.js';
import { nextForwarding } from './notification-retries.js';

const LEASE_MS = 60_000;
const POLL_MS = 2_000;
const TIMEOUT_MS = 20_000;
const SLOTS = { total: 20, perKey: 5 };

const failedTo = {
  claim: 'copies of store notifications could not be claimed; the next poll tries again',
  work: 'the copy of a store notification was not recorded; it is sent again when its lease ends',
  renew: 'leases of copies of store notifications could not be renewed',
};

/** Forwards store notifications, byte for byte, to the developer's URL without delaying their processing. */
@Injectable()
export class NotificationForwarderJob extends LeasedWorkJob<ClaimedCopy> {
  protected readonly leased: LeasedWork<ClaimedCopy>;

  constructor(
    leasedWork: LeasedWorkFactory,
    private readonly repository: NotificationCopiesRepository,
    private readonly http: OutboundHttpClient,
    private readonly bodies: NotificationBodiesService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    super();
    this.leased = leasedWork.createByApp<ClaimedCopy>({
      name: 'notification_copies',
      leaseMs: LEASE_MS,
      slots: SLOTS,
      queue: repository,
      work: (copy, lease) => this.send(copy, lease),
      renew: (held, terms) => repository.renew(held, terms),
      failedTo,
    });
  }

  @Interval('store-notification-copies', POLL_MS)
  override wake(app?: AppPlace): void {
    super.wake(app);
  }

  private async send(copy: ClaimedCopy, lease: Lease): Promise<void> {
    const result = await this.resultOf(copy);
    await lease.record((leaseUntil) => this.repository.finish(copy, leaseUntil, result));
  }

  private async resultOf(copy: ClaimedCopy): Promise<CopyResult> {
    const { url, contentType, attempts } = copy;
    if (url === null) return { attempts, dueAt: null, status: null, error: null, at: null };
    const body = this.bodies.open({ ...copy, id: copy.notificationId });
    const { status, error } = await this.attempt(url, body, contentType);
    const nowMs = this.clock.nowMs();
    const dueAt = error === null ? null : nextForwarding(attempts + 1, nowMs);
    return { attempts: attempts + 1, dueAt, status, error, at: new Date(nowMs) };
  }

  private async attempt(
    url: string,
    body: Buffer,
    contentType: string | null,
  ): Promise<{ status: number | null; error: string | null }> {
    const headers = { 'content-type': contentType ?? 'application/json' };
    try {
      const { status } = await this.http.send({ method: 'POST', url, headers, body, timeoutMs: TIMEOUT_MS });
      const isTaken = status >= 200 && status < 300;
      return { status, error: isTaken ? null : `The endpoint answered ${status}.` };
    } catch (error) {
      if (!(error instanceof OutboundRequestFailed)) throw error;
      return { status: null, error: error.message };
    }
  }
}
