import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { setTimeout as sleep } from 'node:timers/promises';
import { signWebhook } from '../../libs/signing/index.js';
import type { Clock } from '../../libs/kernel/index.js';
import { CLOCK } from '../config/clock.token.js';
import { Config } from '../config/config.js';
import { WorkLoop } from '../jobs/work-loop.js';
import { Log } from '../observability/log.js';
import { OutboundRequestFailed } from '../outbound/outbound-errors.js';
import { OutboundHttpClient } from '../outbound/outbound-http-client.js';
import { Secrets } from '../secrets/secrets.js';
import { type AttemptResult, type ClaimedDelivery, DeliveriesRepository } from './deliveries.repository.js';
import { DeliveryMetrics } from './delivery-metrics.js';
import { nextAttempt } from './retry-schedule.js';
import { authorizationPlace, signingSecretPlace } from './secret-places.js';

const TIMEOUT_MS = 60_000;
/** Longer than an attempt can take: a lease that ends belongs to a process that died. */
const LEASE_MS = 90_000;
const POLL_MS = 500;
const MAX_BATCH = 100;
const MAX_ERROR_LENGTH = 500;

interface Outcome {
  responseStatus: number | null;
  responseMs: number | null;
  error: string | null;
}

/**
 * Sends due webhook deliveries: claims rows with a lease, signs, sends with bounded concurrency in all and for
 * each integration, and records the attempt. Woken after commits; the poll finds retries, the work of dead
 * replicas, and whatever a wake missed.
 */
@Injectable()
export class WebhookDispatcher implements OnApplicationShutdown {
  private readonly loop: WorkLoop;
  private readonly sending = new Set<Promise<void>>();
  private readonly inFlight = new Map<string, number>();

  constructor(
    @Inject(DeliveriesRepository) private readonly deliveries: DeliveriesRepository,
    @Inject(OutboundHttpClient) private readonly http: OutboundHttpClient,
    @Inject(Secrets) private readonly secrets: Secrets,
    @Inject(DeliveryMetrics) private readonly metrics: DeliveryMetrics,
    @Inject(Config) private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(Log) log: Log,
  ) {
    this.loop = new WorkLoop(
      () => this.round(),
      (error) => log.error({ err: error }, 'webhook deliveries could not be claimed'),
    );
  }

  /** Deliveries may be due: looks at once. */
  @Interval(POLL_MS)
  wake(): void {
    void this.loop.wake();
  }

  /** Sends everything that is due and waits until it has been answered or has failed. */
  async drain(): Promise<void> {
    do {
      await this.loop.wake();
      await Promise.all(this.sending);
    } while (this.sending.size > 0);
  }

  /** Takes nothing new; attempts in flight may end within the grace time, and their leases cover the rest. */
  async onApplicationShutdown(): Promise<void> {
    await this.loop.stop();
    const grace = new AbortController();
    const timer = sleep(this.config.shutdownGraceMs, undefined, { signal: grace.signal, ref: false });
    await Promise.race([Promise.all(this.sending), timer.catch(() => undefined)]);
    grace.abort();
  }

  private async round(): Promise<void> {
    for (;;) {
      const total = Math.min(MAX_BATCH, this.config.webhookConcurrency - this.sending.size);
      if (total <= 0) return;
      const perIntegration = this.config.webhookEndpointConcurrency;
      const freeSlots = new Map(
        [...this.inFlight].map(([id, count]) => [id, Math.max(0, perIntegration - count)]),
      );
      const nowMs = this.clock.nowMs();
      const leaseUntil = new Date(nowMs + LEASE_MS);
      const limits = { total, freeSlots, defaultSlots: perIntegration };
      const claimed = await this.deliveries.claim(new Date(nowMs), leaseUntil, limits);
      for (const delivery of claimed) this.start(delivery, leaseUntil);
      if (claimed.length < total) return;
    }
  }

  private start(delivery: ClaimedDelivery, leaseUntil: Date): void {
    const { webhookIntegrationId: integrationId } = delivery;
    this.inFlight.set(integrationId, (this.inFlight.get(integrationId) ?? 0) + 1);
    const attempt = this.attempt(delivery, leaseUntil).finally(() => {
      const left = (this.inFlight.get(integrationId) ?? 1) - 1;
      if (left === 0) this.inFlight.delete(integrationId);
      else this.inFlight.set(integrationId, left);
      this.sending.delete(attempt);
      // A slot is free again: more may be waiting for it.
      this.wake();
    });
    this.sending.add(attempt);
  }

  private async attempt(delivery: ClaimedDelivery, leaseUntil: Date): Promise<void> {
    const startedAtMs = this.clock.nowMs();
    const outcome = await this.send(delivery, startedAtMs);
    const result = this.resultOf(delivery, outcome);
    this.metrics.attempted(
      delivery.attempts === 0 ? startedAtMs - delivery.dueAt.getTime() : null,
      result.status,
    );
    // When this fails the lease ends by itself and the delivery is sent again: at least once.
    await this.deliveries.finish(delivery, leaseUntil, result).catch(() => undefined);
  }

  private resultOf(
    { attempts }: ClaimedDelivery,
    { error, responseStatus, responseMs }: Outcome,
  ): AttemptResult {
    const made = attempts + 1;
    const nextAttemptAt = error === null ? null : nextAttempt(made, this.clock.nowMs());
    return {
      status: error === null ? 'delivered' : nextAttemptAt === null ? 'failed' : 'pending',
      attempts: made,
      nextAttemptAt,
      responseStatus,
      responseMs,
      lastError: error?.slice(0, MAX_ERROR_LENGTH) ?? null,
    };
  }

  /** Only a 200 counts as delivered; redirects and other successes are failures. */
  private async send(delivery: ClaimedDelivery, nowMs: number): Promise<Outcome> {
    try {
      const body = `{"api_version":"1.0","event":${delivery.event}}`;
      const { status, durationMs } = await this.http.send({
        method: 'POST',
        url: delivery.url,
        headers: this.headers(delivery, body, nowMs),
        body,
        timeoutMs: TIMEOUT_MS,
      });
      const error = status === 200 ? null : `The endpoint answered ${status}.`;
      return { responseStatus: status, responseMs: durationMs, error };
    } catch (error) {
      const message =
        error instanceof OutboundRequestFailed ? error.message : 'The request could not be made.';
      return { responseStatus: null, responseMs: null, error: message };
    }
  }

  private headers(delivery: ClaimedDelivery, body: string, nowMs: number): Record<string, string> {
    const { projectId, webhookIntegrationId, sealedSigningSecret, sealedAuthorizationHeader } = delivery;
    const secret = this.secrets.open(
      sealedSigningSecret,
      signingSecretPlace(projectId, webhookIntegrationId),
    );
    const headers: Record<string, string> = {
      'Content-Type': 'application/json',
      'X-Service-Webhook-Signature': signWebhook([secret], Math.floor(nowMs / 1000), body),
    };
    if (sealedAuthorizationHeader !== null) {
      const place = authorizationPlace(projectId, webhookIntegrationId);
      headers.Authorization = this.secrets.open(sealedAuthorizationHeader, place);
    }
    return headers;
  }
}
