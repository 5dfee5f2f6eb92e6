import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { Clock } from '../../libs/kernel/index.js';
import { AppsService } from '../apps/apps.service.js';
import { credentialsConfigured } from '../apps/credentials.js';
import { CLOCK } from '../config/clock.token.js';
import { Database } from '../database/database.js';
import type { Chore, ChoreResult } from '../store-chores/store-chore.js';
import { StoreChores } from '../store-chores/store-chores.js';
import { SilentAppsRepository } from './silent-apps.repository.js';
import { StoreConnections } from './store-connections.js';

const HOUR_MS = 3_600_000;
const SCHEDULE_MS = HOUR_MS / 6;
/** A store with subscribers has something to tell within this time. */
const SILENCE_MS = 7 * 24 * HOUR_MS;
const EVERY_MS = 12 * HOUR_MS;

/**
 * Asks stores about running subscriptions of apps that have sent no notification for seven days, each every twelve
 * hours: their address may be missing or wrong, and a cancellation or a refund would not be seen before the end of the
 * period.
 */
@Injectable()
export class SilentApps implements OnModuleInit {
  readonly kind = 'poll_silent_app';

  constructor(
    @Inject(StoreChores) private readonly chores: StoreChores,
    @Inject(SilentAppsRepository) private readonly repository: SilentAppsRepository,
    @Inject(StoreConnections) private readonly connections: StoreConnections,
    @Inject(AppsService) private readonly apps: AppsService,
    @Inject(Database) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.chores.handle(this);
  }

  /** New apps, too. */
  @Interval('silent-apps', SCHEDULE_MS)
  schedule(): Promise<void> {
    return this.chores.schedule(this.kind, this.connections.types);
  }

  async work({ projectId, appId }: Chore): Promise<ChoreResult> {
    const nowMs = this.clock.nowMs();
    const app = await this.apps.findIn(this.database, projectId, appId);
    if (!app) return 'done';
    const heardAt = (await this.repository.lastHeard({ projectId, appId })) ?? app.createdAt;
    const silentAtMs = heardAt.getTime() + SILENCE_MS;
    if (silentAtMs > nowMs) return { againAtMs: silentAtMs, error: null };
    // Credentials that the store refuses are tried elsewhere, one call at a time.
    if (credentialsConfigured(app) && app.credentialsRefused !== true) {
      await this.repository.requestActive({ projectId, appId }, new Date(nowMs), EVERY_MS);
    }
    return { againAtMs: nowMs + EVERY_MS, error: null };
  }
}
