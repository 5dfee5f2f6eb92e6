import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Clock } from '../../../../libs/kernel/index.js';
import { customerInfoText } from '../../../customers/customers/customer-info/customer-info.js';
import { CustomerInfoService } from '../../../customers/customers/customer-info/customer-info.service.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import { LogService } from '../../../platform/observability/log.service.js';
import { OutboundRequestFailed } from '../../../platform/outbound/outbound-errors.js';
import {
  OutboundHttpClient,
  type OutboundResponse,
} from '../../../platform/outbound/outbound-http.client.js';
import { SecretsService } from '../../../platform/secrets/secrets.service.js';
import {
  type AttemptOutcome,
  kindOfStatus,
  mayHaveArrived,
  notSent,
} from '../../deliveries/attempt-outcome.js';
import type { ClaimedDelivery } from '../../deliveries/deliveries.repository.js';
import {
  type DeliverySender,
  DeliverySendersService,
  type Freeze,
} from '../../deliveries/delivery-senders.service.js';
import {
  deliveryBody,
  type DeliverySecrets,
  MAX_BODY_BYTES,
  maskSecrets,
  signedHeaders,
} from './delivery-request.js';
import { loggedBody, loggedHeaders } from '../../deliveries/log/logged-response.js';
import { retryAfterMs } from '../../deliveries/retry-schedule.js';
import {
  authorizationPlace,
  previousSigningSecretPlace,
  signingSecretPlace,
} from '../../deliveries/integrations/secret-places.js';

const TIMEOUT_MS = 60_000;
const GONE = 410;

/** Enough for the logged characters and a secret that extends beyond them, however many bytes each character needs. */
const READ_BYTES = 24 * 1024;

@Injectable()
export class WebhookSenderService implements DeliverySender, OnModuleInit {
  constructor(
    private readonly senders: DeliverySendersService,
    private readonly customers: CustomerInfoService,
    private readonly http: OutboundHttpClient,
    private readonly secrets: SecretsService,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly log: LogService,
  ) {}

  onModuleInit(): void {
    this.senders.register(['webhook'], this);
  }

  /** Finishes within a minute. Only a 200 counts: redirects and other successes are failures. */
  async send(delivery: ClaimedDelivery, freeze: Freeze): Promise<AttemptOutcome> {
    const url = delivery.url ?? '';
    const body = deliveryBody(delivery.event, await this.customerInfoFor(delivery, freeze));
    if (Buffer.byteLength(body) > MAX_BODY_BYTES) return notSent(url, 'The event is larger than 1 MiB.');
    const secrets = this.open(delivery);
    if (!secrets) return notSent(url, 'A secret could not be read.');
    const timestampS = Math.floor(this.clock.nowMs() / 1000);
    const startedAt = performance.now();
    try {
      const response = await this.http.send({
        method: 'POST',
        url,
        headers: signedHeaders(delivery, secrets, timestampS, body),
        body,
        timeoutMs: TIMEOUT_MS,
        maxResponseBytes: READ_BYTES,
      });
      return this.answered(url, response, secrets);
    } catch (error) {
      const known = error instanceof OutboundRequestFailed;
      if (!known) this.log.error({ err: error }, 'a webhook was not sent');
      return {
        ...notSent(url, known ? maskSecrets(error.message, secrets) : 'The request could not be made.'),
        mayBeRepeated: known && mayHaveArrived(error.kind),
        responseMs: Math.round(performance.now() - startedAt),
        kind: known ? error.kind : 'not_sent',
        reachedOut: known,
      };
    }
  }

  /** JSON text at the first attempt: never older than the event, and identical in every retry. Null if excluded. */
  private async customerInfoFor(delivery: ClaimedDelivery, freeze: Freeze): Promise<string | null> {
    if (delivery.customerInfo !== null) return delivery.customerInfo;
    if (!delivery.includeCustomerInfo || delivery.attempts > 0) return null;
    return freeze(await this.currentCustomerInfo(delivery));
  }

  private async currentCustomerInfo({ projectId, customerId }: ClaimedDelivery): Promise<string> {
    const info = customerId === null ? null : await this.customers.find(projectId, customerId);
    return info ? customerInfoText(info, this.clock.nowMs()) : 'null';
  }

  private answered(url: string, response: OutboundResponse, secrets: DeliverySecrets): AttemptOutcome {
    const { status, durationMs, body } = response;
    const headers = loggedHeaders(response.headers, (text) => maskSecrets(text, secrets));
    return {
      verdict: status === 200 ? 'delivered' : status === GONE ? 'gone' : 'retry',
      reason: null,
      url,
      step: 0,
      stepsDone: 0,
      mayBeRepeated: false,
      responseStatus: status,
      responseMs: durationMs,
      error: status === 200 ? null : `The endpoint answered ${status}; only 200 counts as delivered.`,
      responseBody: loggedBody(maskSecrets(body, secrets)),
      responseHeaders: headers,
      retryAfterMs: retryAfterMs(headers['retry-after'], this.clock.nowMs()),
      pauseMs: null,
      kind: kindOfStatus(status),
      reachedOut: true,
    };
  }

  /** Null if a secret cannot be opened: the server's encryption key is not the one that sealed it. */
  private open(delivery: ClaimedDelivery): DeliverySecrets | null {
    const { projectId, webhookIntegrationId: id, sealedSigningSecret: current } = delivery;
    const { sealedPreviousSigningSecret: previous, sealedAuthorizationHeader: authorization } = delivery;
    try {
      const signing = [this.secrets.open(current ?? '', signingSecretPlace(projectId, id))];
      if (previous !== null)
        signing.push(this.secrets.open(previous, previousSigningSecretPlace(projectId, id)));
      return {
        signing,
        authorization:
          authorization === null ? null : this.secrets.open(authorization, authorizationPlace(projectId, id)),
      };
    } catch (error) {
      this.log.error({ err: error, projectId, webhookIntegrationId: id }, 'a webhook secret does not open');
      return null;
    }
  }
}
