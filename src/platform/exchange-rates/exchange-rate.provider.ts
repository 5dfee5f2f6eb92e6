import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { OutboundHttpClient } from '../outbound/outbound-http.client.js';
import { type DayRates, ExchangeRatesRefused, readExchangeRates } from './exchange-rate-answer.js';

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 262_144;

@Injectable()
export class ExchangeRateProvider {
  private readonly url: string | null;

  constructor(
    private readonly client: OutboundHttpClient,
    { fxProvider, fxUrl }: Config,
  ) {
    this.url = fxProvider === 'http' ? fxUrl : null;
  }

  /** For logs, because the full URL may contain a key. Null if no provider is configured. */
  get host(): string | null {
    return this.url === null ? null : new URL(this.url).host;
  }

  /** @throws ExchangeRatesRefused for an invalid response */
  async fetch(nowMs: number, rateOf: (currency: string) => number | null): Promise<DayRates> {
    const { status, body } = await this.client.send({
      method: 'GET',
      url: this.url ?? '',
      headers: { accept: 'application/json', 'user-agent': 'Tenure' },
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: MAX_BYTES,
    });
    if (status !== 200) throw new ExchangeRatesRefused(`The provider answered with status ${status}.`);
    return readExchangeRates(body, { nowMs, rateOf });
  }
}
