import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { Clock } from '../../../libs/kernel/index.js';
import { PlayCallFailed, unknownInVoided } from '../../../libs/stores/index.js';
import type { App } from '../../catalog/apps/app.entity.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import type { StoreTask, StoreTaskResult } from '../../purchases/store-tasks/store-task.js';
import { StoreTasksService } from '../../purchases/store-tasks/store-tasks.service.js';
import { UnknownValuesService } from '../../purchases/unknown-values/unknown-values.service.js';
import { CredentialHealthService } from '../shared/credential-health.service.js';
import { PlayService } from './play.service.js';
import { refusalOf } from './play-errors.js';
import { voidedAt, VoidedPurchasesRecorder } from './voided-purchases.recorder.js';

const MINUTE_MS = 60_000;
const EVERY_MS = 10 * MINUTE_MS;
const DAY_MS = 86_400_000;
/** Overlap with the previous poll: Google inserts late records at their original dates. */
const OVERLAP_MS = 2 * DAY_MS;
/** Google lists voided purchases for 30 days. */
const HORIZON_MS = 30 * DAY_MS - MINUTE_MS;
const MAX_PAGES = 1_000;
/** Purchases per transaction, which locks their owners. */
const AT_ONCE = 50;

/** Polls Google every ten minutes for refunds, chargebacks and revocations, for each app. */
@Injectable()
export class VoidedPurchasesJob implements OnModuleInit {
  readonly kind = 'scan_voided_purchases';

  constructor(
    private readonly tasks: StoreTasksService,
    private readonly play: PlayService,
    private readonly health: CredentialHealthService,
    private readonly unknownValues: UnknownValuesService,
    private readonly recorder: VoidedPurchasesRecorder,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.tasks.handle(this);
  }

  @Interval('play-voided-purchases', EVERY_MS)
  schedule(): Promise<void> {
    return this.tasks.schedule(this.kind, ['play_store']);
  }

  async work({ projectId, appId, markAt, attempts }: StoreTask, app: App): Promise<StoreTaskResult> {
    const startedAtMs = this.clock.nowMs();
    const againAtMs = startedAtMs + EVERY_MS;
    // Without credentials, the app has no recorded purchases.
    if (app.sealedCredentials.play_service_account_credentials_json === undefined) {
      return { againAtMs, error: null };
    }
    try {
      await this.scan(app, markAt?.getTime() ?? null, startedAtMs);
      await this.health.worked(projectId, appId);
      return { againAtMs, error: null, markAt: new Date(startedAtMs) };
    } catch (error) {
      if (!(error instanceof PlayCallFailed)) throw error;
      const refusal = refusalOf(error);
      if (refusal !== null) await this.health.failed(projectId, appId, refusal);
      const waitMs = Math.max(EVERY_MS * Math.min(attempts + 1, 6), error.retryAfterMs ?? 0);
      return { againAtMs: startedAtMs + waitMs, error: error.message };
    }
  }

  private async scan(app: App, scannedUntilMs: number | null, nowMs: number): Promise<void> {
    const horizonMs = nowMs - HORIZON_MS;
    const sinceMs = Math.max(horizonMs, (scannedUntilMs ?? 0) - OVERLAP_MS);
    let page: string | null = null;
    for (let count = 0; count < MAX_PAGES; count++) {
      const { purchases, next } = await this.play.api(app).voided(sinceMs, page);
      for (let from = 0; from < purchases.length; from += AT_ONCE) {
        const batch = purchases.slice(from, from + AT_ONCE);
        const newSinceMs = (scannedUntilMs ?? 0) - EVERY_MS;
        await this.recorder.record(app, batch, newSinceMs);
      }
      this.unknownValues.record(
        app,
        unknownInVoided(purchases.filter((one) => voidedAt(one, nowMs) > (scannedUntilMs ?? 0))),
      );
      if (next === null) return;
      page = next;
    }
  }
}
