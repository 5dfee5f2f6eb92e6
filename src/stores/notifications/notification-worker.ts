import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { Clock } from '../../../libs/kernel/index.js';
import { AppsService } from '../../catalog/apps/apps.service.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { Config } from '../../platform/config/config.js';
import { type Lease, LeasedWork } from '../../platform/jobs/leased-work.js';
import { Log } from '../../platform/observability/log.js';
import { CredentialHealth } from '../shared/credential-health.js';
import { nextProcessing } from './notification-retries.js';
import { NotificationDelayed, type NotificationOutcome } from './notification-source.js';
import { NotificationSources } from './notification-sources.js';
import {
  type ClaimedNotification,
  type ProcessingResult,
  StoreNotificationsRepository,
} from './store-notifications.repository.js';

const LEASE_MS = 60_000;
const POLL_MS = 1_000;
const SLOTS = { total: 20, perKey: 5 };
const MAX_ERROR_LENGTH = 500;

const failedTo = {
  claim: 'store notifications could not be claimed; the next look tries again',
  work: 'the result of a store notification was not recorded; it is processed again when its lease ends',
  renew: 'leases of store notifications could not be renewed',
};

/**
 * Processes the inbox. Woken when a notification was saved; the poll finds what failed before, what replicas
 * left that died, and whatever a wake missed.
 */
@Injectable()
export class NotificationWorker implements OnModuleInit, BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly notifications: LeasedWork<ClaimedNotification>;

  constructor(
    private readonly repository: StoreNotificationsRepository,
    private readonly sources: NotificationSources,
    private readonly apps: AppsService,
    private readonly health: CredentialHealth,
    config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly log: Log,
  ) {
    this.notifications = new LeasedWork<ClaimedNotification>(
      {
        name: 'store_notifications',
        leaseMs: LEASE_MS,
        slots: SLOTS,
        keyOf: ({ appId }) => appId,
        claim: (terms, free) => repository.claim(terms, free),
        work: (notification, lease) => this.process(notification, lease),
        renew: (held, terms) => repository.renew(held, terms),
        onError: (error, doing) => log.error({ err: error }, failedTo[doing]),
      },
      clock,
      config,
    );
  }

  onModuleInit(): void {
    this.health.onRecovery(async (place, since) => {
      await this.repository.retry(place, since, new Date(this.clock.nowMs()));
      this.wake();
    });
  }

  /** Notifications may be due: looks at once. */
  @Interval('store-notifications', POLL_MS)
  wake(): void {
    this.notifications.wake();
  }

  /** Processes everything that is due now. */
  drain(): Promise<void> {
    return this.notifications.drain();
  }

  beforeApplicationShutdown(): void {
    void this.notifications.stop();
  }

  onApplicationShutdown(): Promise<void> {
    return this.notifications.stop();
  }

  private async process(notification: ClaimedNotification, lease: Lease): Promise<void> {
    const result = await this.resultOf(notification);
    await lease.record(async (leaseUntil) => {
      await this.repository.finish(notification, leaseUntil, result);
      if (result.state !== 'ignored_unknown_purchase') return;
      if (await this.repository.takeUpIfKnown(notification, new Date(this.clock.nowMs()))) this.wake();
    });
  }

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
      const message = delayed?.message ?? 'The server failed to process it; the log tells why.';
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
    const source = app && this.sources.of(app.type);
    // The app was deleted meanwhile, and its inbox with it.
    if (!app || !source) return 'ignored_type';
    return source.process({ ...notification, app, receivedAtMs: receivedAt.getTime() });
  }
}
