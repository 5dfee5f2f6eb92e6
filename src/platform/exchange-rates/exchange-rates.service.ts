import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { type FetchedRates, toUsdMicros, type UsdConversion, usdRate } from '../../../libs/money/index.js';
import { Config } from '../config/config.js';
import { DatabaseService } from '../database/database.service.js';
import { NotificationListenerService } from '../database/connections/notification-listener.service.js';
import { LogService } from '../observability/log.service.js';
import type { DayRates } from './exchange-rate-answer.js';
import { ExchangeRatesRepository } from './exchange-rates.repository.js';

const EXCHANGE_RATES_CHANGED = 'tenure_exchange_rates_changed';

/** Covers lost notifications. */
const RELOAD_MS = 10 * 60_000;

type Amount = Parameters<typeof toUsdMicros>[0];

/** Returns null for a currency without a rate. */
export type ToUsd = (amount: Amount) => UsdConversion | null;

/** The exchange rates of the configured provider, all in memory because purchases convert inside transactions. */
@Injectable()
export class ExchangeRatesService implements OnModuleInit, OnApplicationShutdown {
  private fetched: FetchedRates = new Map();
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly repository: ExchangeRatesRepository,
    private readonly database: DatabaseService,
    private readonly config: Config,
    private readonly log: LogService,
    listener: NotificationListenerService,
  ) {
    if (config.fxProvider === 'http')
      listener.on(EXCHANGE_RATES_CHANGED, () => void this.reload(), { ignoresPayload: true });
  }

  /** @throws RangeError if the amount is not an integer or the day is invalid */
  readonly toUsd: ToUsd = (amount) => {
    if (this.config.fxProvider === 'none' && amount.currency !== 'USD') return null;
    return toUsdMicros(amount, this.fetched);
  };

  /** Returns the newest units of a currency per USD known on that day, or null if none. */
  rateOf(currency: string, day: string): number | null {
    return usdRate(currency, day, this.fetched);
  }

  async onModuleInit(): Promise<void> {
    await this.load();
    // In every process, with or without jobs.
    if (this.config.fxProvider === 'http') {
      this.timer = setInterval(() => void this.reload(), RELOAD_MS).unref();
    }
  }

  onApplicationShutdown(): void {
    if (this.timer) clearInterval(this.timer);
  }

  /** Stores the rates of a day, if it has none yet, and schedules the next fetch. `host`: source of the rates. */
  async save(answer: DayRates, host: string, times: { nowMs: number; nextFetchAtMs: number }): Promise<void> {
    await this.database.transaction(async (tx) => {
      await this.repository.schedule(tx, times.nextFetchAtMs);
      const isNew = await this.repository.insert(tx, answer, host, times.nowMs);
      if (isNew) await tx.notify(EXCHANGE_RATES_CHANGED, answer.day);
    });
    await this.reload();
  }

  async reload(): Promise<void> {
    try {
      await this.load();
    } catch (error) {
      this.log.warn(
        { err: error },
        'exchange rates could not be read again; the ones read before stay in use',
      );
    }
  }

  private async load(): Promise<void> {
    if (this.config.fxProvider !== 'http') return;
    const byCurrency = new Map<string, { day: string; month: null; rate: number }[]>();
    for (const { day, rates } of await this.repository.all()) {
      for (const [currency, rate] of Object.entries(rates)) {
        const rows = byCurrency.get(currency) ?? [];
        rows.push({ day, month: null, rate });
        byCurrency.set(currency, rows);
      }
    }
    this.fetched = byCurrency;
  }
}
