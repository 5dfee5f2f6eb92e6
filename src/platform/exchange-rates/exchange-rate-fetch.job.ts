import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { type Clock, utcDay } from '../../../libs/kernel/index.js';
import { CLOCK } from '../config/clock.token.js';
import { Config } from '../config/config.js';
import { WorkLoop } from '../jobs/work-loop.js';
import { LogService } from '../observability/log.service.js';
import { OutboundHttpClient } from '../outbound/outbound-http.client.js';
import { type DayRates, ExchangeRatesRefused, readExchangeRates } from './exchange-rate-answer.js';
import { ExchangeRatesService } from './exchange-rates.service.js';
import { ExchangeRatesRepository } from './exchange-rates.repository.js';

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 262_144;
const POLL_MS = 60_000;
const RETRY_MS = 15 * 60_000;
/** The provider has not published today's rates yet. */
const LATER_MS = 4 * 3_600_000;
const DAY_MS = 86_400_000;

/** Only one of all processes fetches. An invalid response changes nothing. */
@Injectable()
export class ExchangeRateFetchJob implements OnApplicationBootstrap {
  private readonly loop: WorkLoop;
  private readonly url: string | null;

  constructor(
    private readonly repository: ExchangeRatesRepository,
    private readonly rates: ExchangeRatesService,
    private readonly client: OutboundHttpClient,
    { fxProvider, fxUrl }: Config,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly log: LogService,
  ) {
    this.url = fxProvider === 'http' ? fxUrl : null;
    this.loop = new WorkLoop(
      () => this.round(),
      (error) => {
        const message = 'exchange rates were not fetched; they are tried again in a while';
        log.error({ err: error, host: this.host }, message);
      },
      'exchange_rates',
    );
  }

  onApplicationBootstrap(): void {
    void this.run();
  }

  /** Fetches if due and no other process does. Failures are logged and retried later. */
  @Interval('exchange-rates-fetch', POLL_MS)
  async run(): Promise<void> {
    if (this.url !== null) await this.loop.wake();
  }

  private async round(): Promise<void> {
    const { url, host } = this;
    const nowMs = this.clock.nowMs();
    if (url === null || host === null || !(await this.repository.claim(nowMs, nowMs + RETRY_MS))) return;
    const today = utcDay(nowMs);
    const answer = await this.fetch(url, nowMs);
    const tomorrowMs = (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS;
    const nextFetchAtMs = answer.day === today ? tomorrowMs : Math.min(nowMs + LATER_MS, tomorrowMs);
    await this.rates.save(answer, host, { nowMs, nextFetchAtMs });
    const { day, implausible } = answer;
    if (implausible.length > 0) {
      this.log.warn({ host, day, currencies: implausible }, 'implausible exchange rates were left out');
    }
  }

  /** For logs, because the full URL may contain a key. Null if no provider is configured. */
  private get host(): string | null {
    return this.url === null ? null : new URL(this.url).host;
  }

  /** @throws ExchangeRatesRefused for an invalid response */
  private async fetch(url: string, nowMs: number): Promise<DayRates> {
    const { status, body } = await this.client.send({
      method: 'GET',
      url,
      headers: { accept: 'application/json', 'user-agent': 'Tenure' },
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: MAX_BYTES,
    });
    if (status !== 200) throw new ExchangeRatesRefused(`The provider answered with status ${status}.`);
    const today = utcDay(nowMs);
    return readExchangeRates(body, { nowMs, rateOf: (currency) => this.rates.rateOf(currency, today) });
  }
}
