import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../../libs/kernel/index.js';
import type { CatalogOfApp } from '../../catalog/snapshot/catalog.service.js';
import { sdkClientOf } from '../../catalog/snapshot/sdk-client.js';
import { SdkCatalogService } from '../../catalog/snapshot/sdk-catalog.service.js';
import { deviceOf } from '../../customers/customers/last-seen/device.js';
import { SdkEventWritesService } from '../../customers/sdk-events/sdk-event-writes.service.js';
import type { ReceivedEvent } from '../../customers/sdk-events/sdk-events.repository.js';
import { CLOCK } from '../../platform/config/clock.token.js';
import { Config } from '../../platform/config/config.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import { LogService } from '../../platform/observability/log.service.js';
import { readSdkEvents } from './sdk-event.policy.js';
import { SdkEventsMetrics } from './sdk-events.metrics.js';

const RETRY_AFTER_S = 30;
const MINUTE_MS = 60_000;

/** Accepts what SDKs report about paywalls, customer centers and ads. */
@Injectable()
export class SdkEventsService {
  /** Events accepted in the current minute, by app. */
  private minute = { number: 0, counts: new Map<string, number>() };

  constructor(
    private readonly catalogs: SdkCatalogService,
    private readonly writes: SdkEventWritesService,
    private readonly metrics: SdkEventsMetrics,
    private readonly config: Config,
    private readonly log: LogService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Returns when the events are stored. Drops what cannot be stored: SDKs would send it again forever.
   * @throws ApiError 503 if the events must be sent again
   */
  async receive(request: ApiRequest): Promise<void> {
    const caller = await this.callerOf(request);
    if (caller === null) return this.metrics.dropped(new Map([['no_app', 1]]));
    const { catalog, app } = caller;
    const { principal } = sdkClientOf(request);
    const nowMs = this.clock.nowMs();
    const { events, dropped } = readSdkEvents(request.body, {
      setting: catalog.sdkEvents,
      nowMs,
      retentionDays: this.config.sdkEventDays,
      paywallOf: (offering) => catalog.paywallOf(offering)?.id ?? null,
      signedInAppUserId: principal.kind === 'customer_token' ? principal.appUserId : null,
    });
    const allowed = this.allowed(app.id, events.length, nowMs);
    if (allowed < events.length) dropped.set('limited', events.length - allowed);
    this.metrics.dropped(dropped);
    const sender = {
      projectId: catalog.projectId,
      appId: app.id,
      isSandbox: request.headers['x-is-sandbox'] === 'true' || app.type === 'test_store',
      platform: deviceOf(request).platform,
      receivedAtMs: nowMs,
    };
    await this.store(events.slice(0, allowed).map((event) => ({ ...event, ...sender })));
  }

  private async store(events: ReceivedEvent[]): Promise<void> {
    if (events.length === 0) return;
    try {
      await this.writes.store(events);
    } catch (error) {
      this.log.warn({ err: error }, 'events of an SDK were not stored; the SDK sends them again');
      throw new ApiError('overloaded', 'Events cannot be stored now.', { retryAfterS: RETRY_AFTER_S });
    }
    this.metrics.stored(events.length);
  }

  /** Null for a backend that names no app of the project by its platform. */
  private async callerOf(request: ApiRequest): Promise<CatalogOfApp | null> {
    const client = sdkClientOf(request);
    try {
      return await this.catalogs.caller(client);
    } catch (error) {
      const isWithoutApp = error instanceof ApiError && error.status === 400;
      if (client.principal.kind === 'secret_key' && isWithoutApp) return null;
      throw error;
    }
  }

  /** How many of `count` events an app may still store in this minute, and counts them. */
  private allowed(appId: string, count: number, nowMs: number): number {
    const number = Math.floor(nowMs / MINUTE_MS);
    if (this.minute.number !== number) this.minute = { number, counts: new Map() };
    const used = this.minute.counts.get(appId) ?? 0;
    const allowed = Math.min(count, Math.max(0, this.config.sdkEventLimit - used));
    this.minute.counts.set(appId, used + allowed);
    return allowed;
  }
}
