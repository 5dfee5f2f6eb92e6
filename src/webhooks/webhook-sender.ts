import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '../../libs/kernel/index.js';
import { signWebhook } from '../../libs/signing/index.js';
import { CLOCK } from '../config/clock.token.js';
import { Log } from '../observability/log.js';
import { OutboundRequestFailed } from '../outbound/outbound-errors.js';
import { OutboundHttpClient } from '../outbound/outbound-http-client.js';
import { Secrets } from '../secrets/secrets.js';
import type { ClaimedDelivery } from './deliveries.repository.js';
import { authorizationPlace, signingSecretPlace } from './secret-places.js';

const TIMEOUT_MS = 60_000;

/** What came of one attempt. */
export interface AttemptOutcome {
  responseStatus: number | null;
  /** Length of the attempt; null when nothing was sent. */
  responseMs: number | null;
  /** Null for a delivered event; never holds a secret. */
  error: string | null;
}

/** Makes, signs and sends the request of one attempt. */
@Injectable()
export class WebhookSender {
  constructor(
    @Inject(OutboundHttpClient) private readonly http: OutboundHttpClient,
    @Inject(Secrets) private readonly secrets: Secrets,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(Log) private readonly log: Log,
  ) {}

  /** Ends within a minute and never throws. Only a 200 counts: redirects and other successes are failures. */
  async send(delivery: ClaimedDelivery): Promise<AttemptOutcome> {
    // The recorded text, not the parsed event: the same bytes in every attempt.
    const body = `{"api_version":"1.0","event":${delivery.event}}`;
    const headers = this.headers(delivery, body);
    if (!headers) return { responseStatus: null, responseMs: null, error: 'A secret could not be read.' };
    const startedAt = performance.now();
    try {
      const { status, durationMs } = await this.http.send({
        method: 'POST',
        url: delivery.url,
        headers,
        body,
        timeoutMs: TIMEOUT_MS,
      });
      const error = status === 200 ? null : `The endpoint answered ${status}; only 200 counts as delivered.`;
      return { responseStatus: status, responseMs: durationMs, error };
    } catch (error) {
      if (!(error instanceof OutboundRequestFailed)) this.log.error({ err: error }, 'a webhook was not sent');
      const message =
        error instanceof OutboundRequestFailed ? error.message : 'The request could not be made.';
      return { responseStatus: null, responseMs: Math.round(performance.now() - startedAt), error: message };
    }
  }

  /** Null when a secret does not open: the server's encryption key is not the one it was sealed with. */
  private headers(delivery: ClaimedDelivery, body: string): Record<string, string> | null {
    const { projectId, webhookIntegrationId, sealedSigningSecret, sealedAuthorizationHeader } = delivery;
    try {
      const secret = this.secrets.open(
        sealedSigningSecret,
        signingSecretPlace(projectId, webhookIntegrationId),
      );
      const headers: Record<string, string> = {
        'content-type': 'application/json',
        'user-agent': 'Service-Webhooks/1.0',
        'x-service-webhook-signature': signWebhook([secret], Math.floor(this.clock.nowMs() / 1000), body),
      };
      if (sealedAuthorizationHeader !== null) {
        const place = authorizationPlace(projectId, webhookIntegrationId);
        headers.authorization = this.secrets.open(sealedAuthorizationHeader, place);
      }
      return headers;
    } catch (error) {
      this.log.error({ err: error, projectId, webhookIntegrationId }, 'a webhook secret does not open');
      return null;
    }
  }
}
