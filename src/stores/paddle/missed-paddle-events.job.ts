import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { Clock } from '../../../libs/kernel/index.js';
import { eventOf, PaddleCallFailed } from '../../../libs/stores/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import type { StoreTask, StoreTaskResult } from '../../purchases/store-tasks/store-task.js';
import { StoreTasksService } from '../../purchases/store-tasks/store-tasks.service.js';
import { NotificationIntakeService } from '../notifications/notification-intake.service.js';
import { PaddleEventsRepository } from './paddle-events.repository.js';
import { PaddleService } from './paddle.service.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Overlap with the previous poll: a delivery in progress at that time may have failed since. */
const OVERLAP_MS = HOUR_MS;
const FIRST_PAUSE_MS = 5 * MINUTE_MS;
const MAX_PAGES = 20;
const BASE32 = '0123456789abcdefghjkmnpqrstvwxyz';

/** Returns the smallest event id at a time. */
function eventIdAt(ms: number): string {
  let rest = Math.max(0, Math.floor(ms));
  let text = '';
  for (let index = 0; index < 10; index++) {
    text = (BASE32[rest % 32] ?? '0') + text;
    rest = Math.floor(rest / 32);
  }
  return `evt_${text}${'0'.repeat(16)}`;
}

/** Saves the events that Paddle sent while this server was unreachable: at start-up, and after an hour of silence. */
@Injectable()
export class MissedPaddleEventsJob implements OnModuleInit {
  readonly kind = 'read_missed_paddle_events';

  constructor(
    private readonly tasks: StoreTasksService,
    private readonly repository: PaddleEventsRepository,
    private readonly intake: NotificationIntakeService,
    private readonly paddle: PaddleService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.tasks.handle(this);
  }

  @Interval('paddle-missed-events', 10 * MINUTE_MS)
  schedule(): Promise<void> {
    return this.tasks.schedule(this.kind, ['paddle']);
  }

  async work({ projectId, appId, markAt, attempts }: StoreTask, app: App): Promise<StoreTaskResult> {
    const nowMs = this.clock.nowMs();
    const heardAt = await this.repository.lastReceivedAt(projectId, appId);
    const silentAtMs = (heardAt?.getTime() ?? -HOUR_MS) + HOUR_MS;
    if (markAt !== null && silentAtMs > nowMs) return { againAtMs: silentAtMs, error: null };
    const apiKey = this.paddle.keyOf(app);
    // Skip without moving the mark, so that a later poll resumes here.
    if (apiKey === null) return { againAtMs: nowMs + HOUR_MS, error: null };
    try {
      await this.read(app, apiKey, (markAt ?? app.createdAt).getTime() - OVERLAP_MS);
      return { againAtMs: nowMs + HOUR_MS, error: null, markAt: new Date(nowMs) };
    } catch (error) {
      if (!(error instanceof PaddleCallFailed)) throw error;
      // A key without permission to read events still works for everything else.
      const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** attempts, HOUR_MS);
      return { againAtMs: nowMs + Math.max(pauseMs, error.retryAfterMs ?? 0), error: error.message };
    }
  }

  private async read(app: App, apiKey: string, sinceMs: number): Promise<void> {
    const { projectId, id: appId } = app;
    let after = await this.repository.cursor(projectId, appId, eventIdAt(sinceMs));
    for (let page = 0; page < MAX_PAGES; page++) {
      const api = this.paddle.api(app, apiKey, this.paddle.environmentOf(app, apiKey));
      const events = await api.events(after);
      let newest: string | null = null;
      for (const json of events) {
        const event = eventOf(json);
        if (!event) continue;
        newest = event.id;
        const body = Buffer.from(JSON.stringify(json));
        const headers = { 'content-type': 'application/json' };
        await this.intake.recoverRead(app, { headers, body }, this.paddle.headOf(app, event), 0);
      }
      // Without a saved event there is no starting point. The newest one becomes it.
      if (after === null || newest === null) return;
      after = newest;
    }
  }
}
