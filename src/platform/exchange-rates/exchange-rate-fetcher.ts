import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { type Clock, utcDay } from '../../../libs/kernel/index.js';
import { CLOCK } from '../config/clock.token.js';
import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import { WorkLoop } from '../jobs/work-loop.js';
import { Log } from '../observability/log.js';
import { OutboundHttpClient } from '../outbound/outbound-http-client.js';
import { type DayRates, ExchangeRatesRefused, readExchangeRates } from './exchange-rate-answer.js';
import { EXCHANGE_RATES_CHANGED, ExchangeRates } from './exchange-rates.js';
import { ExchangeRatesRepository } from './exchange-rates.repository.js';

const LOOK_EVERY_MS = 60_000;
const RETRY_MS = 15 * 60_000;
/** The provider has not published today's rates yet. */
const LATER_MS = 4 * 3_600_000;
const DAY_MS = 86_400_000;
const TIMEOUT_MS = 15_000;
const MAX_BYTES = 262_144;

/** The URL may hold a key. */
const hostOf = (url: string): string => new URL(url).host;

/** Fetches the day's exchange rates in one of all processes. An invalid answer changes nothing. */
@Injectable()
export class ExchangeRateFetcher implements OnApplicationBootstrap {
  private readonly loop: WorkLoop;

  constructor(
    private readonly repository: ExchangeRatesRepository,
    private readonly rates: ExchangeRates,
    private readonly client: OutboundHttpClient,
    private readonly database: Database,
    private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly log: Log,
  ) {
    this.loop = new WorkLoop(
      () => this.round(),
      (error) => {
        const message = 'exchange rates were not fetched; they are tried again in a while';
        log.error({ err: error, host: config.fxUrl && hostOf(config.fxUrl) }, message);
      },
      'exchange_rates',
    );
  }

  onApplicationBootstrap(): void {
    void this.run();
  }

  /** Fetches if due and no other process does. Failures are logged and retried later. */
  @Interval('exchange-rates-fetch', LOOK_EVERY_MS)
  async run(): Promise<void> {
    if (this.config.fxProvider === 'http') await this.loop.wake();
  }

  private async round(): Promise<void> {
    const { fxUrl } = this.config;
    if (fxUrl === null) return;
    const nowMs = this.clock.nowMs();
    if (!(await this.repository.claim(nowMs, nowMs + RETRY_MS))) return;
    const answer = await this.fetch(fxUrl, nowMs);
    const host = hostOf(fxUrl);
    await this.keep(answer, host, nowMs);
    const { day, implausible } = answer;
    if (implausible.length > 0) {
      this.log.warn({ host, day, currencies: implausible }, 'implausible exchange rates were left out');
    }
  }

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

  private async keep(answer: DayRates, host: string, nowMs: number): Promise<void> {
    const tomorrowMs = (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS;
    const nextFetchAtMs = answer.day === utcDay(nowMs) ? tomorrowMs : Math.min(nowMs + LATER_MS, tomorrowMs);
    await this.database.transaction(async (tx) => {
      await this.repository.schedule(tx, nextFetchAtMs);
      const isNew = await this.repository.insert(tx, answer, host, nowMs);
      if (isNew) await tx.notify(EXCHANGE_RATES_CHANGED, answer.day);
    });
    await this.rates.reload();
  }
}
