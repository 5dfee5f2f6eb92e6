import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { type Clock, utcDay } from '../../../libs/kernel/index.js';
import { CLOCK } from '../config/clock.token.js';
import { WorkLoop } from '../jobs/work-loop.js';
import { LogService } from '../observability/log.service.js';
import { ExchangeRateProvider } from './exchange-rate.provider.js';
import { ExchangeRatesService } from './exchange-rates.service.js';
import { ExchangeRatesRepository } from './exchange-rates.repository.js';

const LOOK_EVERY_MS = 60_000;
const RETRY_MS = 15 * 60_000;
/** The provider has not published today's rates yet. */
const LATER_MS = 4 * 3_600_000;
const DAY_MS = 86_400_000;

/** Only one of all processes fetches. An invalid response changes nothing. */
@Injectable()
export class ExchangeRateFetchJob implements OnApplicationBootstrap {
  private readonly loop: WorkLoop;

  constructor(
    private readonly repository: ExchangeRatesRepository,
    private readonly rates: ExchangeRatesService,
    private readonly provider: ExchangeRateProvider,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly log: LogService,
  ) {
    this.loop = new WorkLoop(
      () => this.round(),
      (error) => {
        const message = 'exchange rates were not fetched; they are tried again in a while';
        log.error({ err: error, host: provider.host }, message);
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
    if (this.provider.host !== null) await this.loop.wake();
  }

  private async round(): Promise<void> {
    const { host } = this.provider;
    const nowMs = this.clock.nowMs();
    if (host === null || !(await this.repository.claim(nowMs, nowMs + RETRY_MS))) return;
    const today = utcDay(nowMs);
    const answer = await this.provider.fetch(nowMs, (currency) => this.rates.rateOf(currency, today));
    const tomorrowMs = (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS;
    const nextFetchAtMs = answer.day === today ? tomorrowMs : Math.min(nowMs + LATER_MS, tomorrowMs);
    await this.rates.save(answer, host, { nowMs, nextFetchAtMs });
    const { day, implausible } = answer;
    if (implausible.length > 0) {
      this.log.warn({ host, day, currencies: implausible }, 'implausible exchange rates were left out');
    }
  }
}
