import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import {
  type Call,
  type CallResponse,
  definitionOf,
  type Destination,
  maskSecrets,
  secretsOf,
} from '../../../../libs/destinations/index.js';
import { Config } from '../../../platform/config/config.js';
import { LogService } from '../../../platform/observability/log.service.js';
import { OutboundRequestFailed } from '../../../platform/outbound/outbound-errors.js';
import {
  OutboundHttpClient,
  type OutboundResponse,
} from '../../../platform/outbound/outbound-http.client.js';
import { OUTBOUND_OPTIONS, type OutboundOptions } from '../../../platform/outbound/outbound-options.js';
import { standInAddress } from './stand-in.js';

export const CALL_TIMEOUT_MS = 30_000;
const READ_BYTES = 24 * 1024;

/** The result of one request. Texts may contain secrets, except for `url`. */
export interface CallResult {
  /** The public address, masked. */
  url: string;
  /** Null if there was no answer. */
  response: CallResponse | null;
  /** Why there was no answer; null if there was one. */
  failure: OutboundRequestFailed | null;
  durationMs: number;
}

/** Performs the requests of destinations. */
@Injectable()
export class DestinationCallsService implements OnApplicationShutdown {
  /** Refuses addresses that are not public, because a person may have entered them. */
  private readonly guarded: OutboundHttpClient;
  /** Calls the stand-in of the tools, which the operator has set. */
  private readonly open: OutboundHttpClient;
  private readonly standIn: string | null;

  constructor(
    config: Config,
    @Inject(OUTBOUND_OPTIONS) options: OutboundOptions,
    private readonly log: LogService,
  ) {
    // Many destinations share the host of their tool; the slots of each limit its connections.
    const own = {
      ...options,
      userAgent: 'Service-Destinations/1.0',
      maxConnectionsPerOrigin: config.webhookConcurrency,
    };
    this.guarded = new OutboundHttpClient(own);
    this.open = new OutboundHttpClient({ ...own, allowPrivateNetworks: true, ownHosts: [] });
    this.standIn = config.testStores ? config.destinationsUrl : null;
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.guarded.onApplicationShutdown(), this.open.onApplicationShutdown()]);
  }

  /** For an address being saved; every request checks it again. @throws OutboundUrlRefused */
  checkUrl(url: string): Promise<void> {
    return this.guarded.checkUrl(url);
  }

  async perform(
    destination: Pick<Destination, 'type' | 'settings'>,
    call: Call,
    timeoutMs = CALL_TIMEOUT_MS,
  ): Promise<CallResult> {
    const { type, settings } = destination;
    const url = maskSecrets(call.url, secretsOf(definitionOf(type).settings, settings));
    const instead = standInAddress(this.standIn, type, call.url);
    const client = instead === null ? this.guarded : this.open;
    const startedAt = performance.now();
    try {
      const request = { ...call, url: instead ?? call.url, timeoutMs, maxResponseBytes: READ_BYTES };
      const { durationMs, ...response } = await client.send(request);
      return { url, response: responseOf(response), failure: null, durationMs };
    } catch (error) {
      const durationMs = Math.round(performance.now() - startedAt);
      return { url, response: null, failure: this.failureOf(error), durationMs };
    }
  }

  private failureOf(error: unknown): OutboundRequestFailed {
    if (error instanceof OutboundRequestFailed) return error;
    this.log.error({ err: error }, 'a request of a destination was not sent');
    return new OutboundRequestFailed('refused', 'The request could not be made.');
  }
}

function responseOf({ status, headers, body }: Omit<OutboundResponse, 'durationMs'>): CallResponse {
  const texts = Object.entries(headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : (value ?? ''),
  ]);
  return { status, headers: Object.fromEntries(texts) as Record<string, string>, body };
}
