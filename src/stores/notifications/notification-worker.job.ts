import { Inject, Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import type { AppPlace } from '../../platform/jobs/project-claims.js';
import { LeasedWorkFactory } from '../../platform/jobs/leased-work.factory.js';
import { LeasedWorkJob } from '../../platform/jobs/leased-work.job.js';
import type { Lease, LeasedWork } from '../../platform/jobs/leased-work.js';
import {
  type ClaimedNotification,
  StoreNotificationsRepository,
  type ProcessingResult,
} from './store-notifications.repository.js';
import { AppsService } from '../../catalog/apps/apps.service.js';
import { LogService } from '../../platform/observability/log.service.js';
import { NotificationBodiesService } from './notification-bodies.service.js';
import { nextProcessing } from './notification-retries.js';
import { NotificationDelayed, type NotificationOutcome } from './notification-source.js';
import { NotificationSourcesService } from './notification-sources.service.js';

const LEASE_MS = 60_000;
const POLL_MS = 1_000;
/** Notifications of an app that are processed together share transactions. */
const SLOTS = { total: 64, perKey: 24 };
const MAX_ERROR_LENGTH = 500;

const failedTo = {
  claim: 'store notifications could not be claimed; the next poll tries again',
  work: 'the result of a store notification was not recorded; it is processed again when its lease ends',
  renew: 'leases of store notifications could not be renewed',
};

/** Wakes up when a notification is saved. The poll finds retries, work of replicas that died, and missed wake-ups. */
@Injectable()
export class NotificationWorkerJob extends LeasedWorkJob<ClaimedNotification> {
  protected readonly leased: LeasedWork<ClaimedNotification>;

  constructor(
    leasedWork: LeasedWorkFactory,
    private readonly repository: StoreNotificationsRepository,
    private readonly apps: AppsService,
    private readonly sources: NotificationSourcesService,
    private readonly bodies: NotificationBodiesService,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly log: LogService,
  ) {
    super();
    this.leased = leasedWork.createByApp<ClaimedNotification>({
      name: 'store_notifications',
      leaseMs: LEASE_MS,
      slots: SLOTS,
      queue: repository,
      work: (notification, lease) => this.process(notification, lease),
      renew: (held, terms) => repository.renew(held, terms),
      failedTo,
    });
  }

  @Interval('store-notifications', POLL_MS)
  override wake(app?: AppPlace): void {
    super.wake(app);
  }

  private async process(notification: ClaimedNotification, lease: Lease): Promise<void> {
    const result = await this.resultOf(notification);
    await lease.record(async (leaseUntil) => {
      await this.repository.finish(notification, leaseUntil, result);
      if (result.state !== 'ignored_unknown_purchase') return;
      if (await this.repository.reactivateIfKnown(notification, new Date(this.clock.nowMs())))
        this.wake(notification);
    });
  }

  /** Never throws. A failure is retried until retries run out. */
  private async resultOf(notification: ClaimedNotification): Promise<ProcessingResult> {
    const attempts = notification.attempts + 1;
    try {
      const state = await this.outcomeOf(notification);
      return { state, attempts, dueAt: null, error: null, at: new Date(this.clock.nowMs()) };
    } catch (error) {
      const delayed = error instanceof NotificationDelayed ? error : null;
      if (!delayed) {
        const { projectId, appId, id, kind } = notification;
        this.log.error({ err: error, projectId, appId, id, kind }, 'a store notification was not processed');
      }
      const message = delayed?.message ?? "The server failed to process it; see the server's log.";
      const nowMs = this.clock.nowMs();
      const dueAt = nextProcessing(attempts, nowMs, delayed?.retryAfterMs ?? null);
      return {
        state: dueAt === null ? 'failed' : 'retrying',
        attempts,
        dueAt,
        error: message.slice(0, MAX_ERROR_LENGTH),
        at: new Date(nowMs),
      };
    }
  }

  private async outcomeOf(claimed: ClaimedNotification): Promise<NotificationOutcome> {
    const { projectId, appId, receivedAt, ...notification } = claimed;
    const app = await this.apps.find(projectId, appId);
    const source = app && this.sources.forType(app.type);
    // The app and its inbox have been deleted.
    if (!app || !source) return 'ignored_type';
    const body = this.bodies.open(claimed);
    return source.process({ ...notification, app, body, receivedAtMs: receivedAt.getTime() });
  }
}
