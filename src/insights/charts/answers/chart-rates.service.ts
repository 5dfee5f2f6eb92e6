import { Inject, Injectable } from '@nestjs/common';
import { type Clock, utcDay } from '../../../../libs/kernel/index.js';
import { CLOCK } from '../../../platform/config/clock.token.js';
import { ExchangeRatesService } from '../../../platform/exchange-rates/exchange-rates.service.js';
import type { DisplayCurrency } from '../../../platform/exchange-rates/display-currencies.js';

const DAY_MS = 86_400_000;
/** The bundled rates start before any store opened. */
const FIRST_DAY_MS = Date.UTC(2008, 0, 1);
const FRESH_MS = 60_000;

/** Units per USD by day, without gaps. */
export interface Rates {
  days: readonly string[];
  rates: readonly number[];
}

@Injectable()
export class ChartRatesService {
  private readonly cached = new Map<string, { rates: Rates; untilMs: number }>();

  constructor(
    private readonly rates: ExchangeRatesService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Returns null for USD, the currency of stored amounts. */
  perUsd(currency: DisplayCurrency): Rates | null {
    if (currency === 'USD') return null;
    const nowMs = this.clock.nowMs();
    const known = this.cached.get(currency);
    if (known && known.untilMs > nowMs && known.rates.days.at(-1) === utcDay(nowMs)) return known.rates;
    const days: string[] = [];
    for (let ms = FIRST_DAY_MS; ms <= nowMs; ms += DAY_MS) days.push(utcDay(ms));
    const rates = { days, rates: days.map((day) => this.rates.rateOf(currency, day) ?? 0) };
    this.cached.set(currency, { rates, untilMs: nowMs + FRESH_MS });
    return rates;
  }
}
