import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Clock } from '../../libs/kernel/index.js';
import { type Acknowledgement, PlayCallFailed } from '../../libs/stores/index.js';
import type { App } from '../apps/app.entity.js';
import { AppsService } from '../apps/apps.service.js';
import { CLOCK } from '../config/clock.token.js';
import { Database } from '../database/database.js';
import { Log } from '../observability/log.js';
import type { Chore, ChoreResult } from '../store-chores/store-chore.js';
import { StoreChores } from '../store-chores/store-chores.js';
import { CredentialHealth } from '../stores/credential-health.js';
import { Play } from './play.js';
import { refusalOf } from './play-errors.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const PAUSES_MS = [1, 5, 30].map((minutes) => minutes * MINUTE_MS);
const ALARM_AFTER_MS = 24 * HOUR_MS;
/** Google takes a purchase back after three days. */
const GIVE_UP_AFTER_MS = 72 * HOUR_MS;

/** Tells Google that purchases were recorded: it gives the money back otherwise. */
@Injectable()
export class PurchaseAcknowledgements implements OnModuleInit {
  readonly kind = 'acknowledge_purchase';

  constructor(
    @Inject(StoreChores) private readonly chores: StoreChores,
    @Inject(Play) private readonly play: Play,
    @Inject(AppsService) private readonly apps: AppsService,
    @Inject(CredentialHealth) private readonly health: CredentialHealth,
    @Inject(Database) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(Log) private readonly log: Log,
  ) {}

  onModuleInit(): void {
    this.chores.handle(this);
  }

  async work(chore: Chore): Promise<ChoreResult> {
    const { projectId, appId, key: token } = chore;
    const app = await this.apps.findIn(this.database, projectId, appId);
    if (!app) return 'done';
    const acknowledgement = { ...(chore.detail as Omit<Acknowledgement, 'token'>), token };
    try {
      await this.acknowledge(app, acknowledgement);
      return 'done';
    } catch (error) {
      if (!(error instanceof PlayCallFailed)) throw error;
      const refusal = refusalOf(error);
      if (refusal !== null) await this.health.failed(projectId, appId, refusal);
      return this.later(chore, error);
    }
  }

  /** What Google refuses may have been done already, by the SDK or before a crash. */
  private async acknowledge(app: App, acknowledgement: Acknowledgement): Promise<void> {
    const api = this.play.api(app);
    try {
      await api.acknowledge(acknowledgement);
    } catch (error) {
      if (!(error instanceof PlayCallFailed)) throw error;
      const { failure } = error;
      if (failure === 'unknown' || failure === 'gone') return;
      if (failure !== 'refused') throw error;
      const { kind, token } = acknowledgement;
      const { acknowledgementState } =
        kind === 'subscription' ? await api.subscription(token) : await api.product(token);
      if (acknowledgementState !== 'ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED') throw error;
    }
  }

  private later(
    { projectId, appId, attempts, markAt }: Chore,
    { message, retryAfterMs }: PlayCallFailed,
  ): ChoreResult {
    const nowMs = this.clock.nowMs();
    const ageMs = nowMs - (markAt?.getTime() ?? nowMs);
    if (ageMs > ALARM_AFTER_MS) {
      this.log.error(
        { projectId, appId, ageMs, message },
        'a purchase is not acknowledged: Google will take it back',
      );
    }
    if (ageMs > GIVE_UP_AFTER_MS) return 'done';
    const pauseMs = Math.max(PAUSES_MS[attempts] ?? HOUR_MS, retryAfterMs ?? 0);
    return { againAtMs: nowMs + Math.min(pauseMs, HOUR_MS), error: message };
  }
}
