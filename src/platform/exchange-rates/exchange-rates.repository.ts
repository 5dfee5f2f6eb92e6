import { Injectable } from '@nestjs/common';
import { DatabaseService, type Transaction } from '../database/database.service.js';
import { statement } from '../database/statement.js';
import type { DayRates } from './exchange-rate-answer.js';

const all = statement(
  'exchange_rates.all',
  `SELECT to_char(day, 'YYYY-MM-DD') AS day, rates FROM exchange_rates ORDER BY day`,
);

/** A day's first rates are final, so a converted amount can always be recomputed. */
const insert = statement(
  'exchange_rates.insert',
  `INSERT INTO exchange_rates (day, source, rates, fetched_at) VALUES ($1, $2, $3, $4)
   ON CONFLICT (day) DO NOTHING RETURNING day`,
);

/** Claimed by one process; if it dies, the next fetch is due at $2. */
const claim = statement(
  'exchange_rates.claim',
  `UPDATE exchange_rate_feeds SET next_fetch_at = $2
   WHERE source = (SELECT source FROM exchange_rate_feeds WHERE source = 'http' AND next_fetch_at <= $1
     FOR UPDATE SKIP LOCKED)
   RETURNING source`,
);

const schedule = statement(
  'exchange_rates.schedule',
  `UPDATE exchange_rate_feeds SET next_fetch_at = $1 WHERE source = 'http'`,
);

@Injectable()
export class ExchangeRatesRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Returns every day, oldest first, with units per USD by currency. */
  all(): Promise<{ day: string; rates: Record<string, number> }[]> {
    return this.database.query(all, []);
  }

  /** Returns true for the one process that should fetch now. */
  async claim(nowMs: number, nextFetchAtMs: number): Promise<boolean> {
    const rows = await this.database.query(claim, [new Date(nowMs), new Date(nextFetchAtMs)]);
    return rows.length > 0;
  }

  async schedule(tx: Transaction, nextFetchAtMs: number): Promise<void> {
    await tx.query(schedule, [new Date(nextFetchAtMs)]);
  }

  /** Returns false if the day already has rates. */
  async insert(tx: Transaction, { day, rates }: DayRates, source: string, nowMs: number): Promise<boolean> {
    const rows = await tx.query(insert, [day, source, JSON.stringify(rates), new Date(nowMs)]);
    return rows.length > 0;
  }
}
