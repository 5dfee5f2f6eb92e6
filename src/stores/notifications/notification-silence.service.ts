import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { ListeningTimeService } from '../../platform/listening/listening-time.service.js';
import { EventsService } from '../../webhooks/events/events.service.js';
import { flowOf, MIN_PAYMENTS, UNDER_WAY_MS } from './notification-silence.policy.js';
import { NotificationSilenceRepository } from './notification-silence.repository.js';

const HORIZON_MS = 90 * 24 * 3_600_000;

/** `silent` comes with the time of the last notification. */
export type NotificationVerdict = { is: 'arriving' | 'unclear' } | { is: 'silent'; lastHeardAtMs: number };

@Injectable()
export class NotificationSilenceService {
  constructor(
    private readonly repository: NotificationSilenceRepository,
    private readonly events: EventsService,
    private readonly listening: ListeningTimeService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Silent: notifications used to arrive but stopped, although customers kept paying while this server was listening.
   */
  async judge(app: { projectId: string; appId: string }): Promise<NotificationVerdict> {
    const nowMs = this.clock.nowMs();
    const heardAtMs = await this.repository.arrivals(app, new Date(nowMs - HORIZON_MS));
    const [lastHeardAtMs = 0] = heardAtMs;
    const flow = flowOf(heardAtMs, nowMs);
    if (flow !== 'overdue') return { is: flow };
    // Payments made while this server was down may have had notifications that were lost.
    const from = new Date(Math.max(lastHeardAtMs, this.listening.sinceMs(nowMs)));
    const to = new Date(nowMs - UNDER_WAY_MS);
    const payments = await this.events.countPayments(app, { from, to }, MIN_PAYMENTS);
    return payments < MIN_PAYMENTS ? { is: 'unclear' } : { is: 'silent', lastHeardAtMs };
  }
}
