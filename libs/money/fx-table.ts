import table from './fx-reference.json' with { type: 'json' };

/** Units of a currency per USD. */
export interface RateRow {
  /** `YYYY-MM-DD` */
  day: string;
  /** The month (`YYYY-MM`) that this row covers; null for a single day. */
  month: string | null;
  rate: number;
}

type Rates = Readonly<Record<string, number>>;

const days: Readonly<Record<string, Rates>> = table.latest;
const months: Readonly<Record<string, Rates>> = table.months;
const monthDays: Readonly<Record<string, string>> = table.monthDays;

function rowsByCurrency(): ReadonlyMap<string, readonly RateRow[]> {
  const dated = [
    ...Object.entries(months).map(([month, rates]) => ({
      day: monthDays[month] ?? `${month}-01`,
      month,
      rates,
    })),
    ...Object.entries(days).map(([day, rates]) => ({ day, month: null, rates })),
  ].sort((a, b) => a.day.localeCompare(b.day));
  const byCurrency = new Map<string, RateRow[]>();
  for (const { day, month, rates } of dated) {
    for (const [currency, rate] of Object.entries(rates)) {
      const rows = byCurrency.get(currency) ?? [];
      rows.push({ day, month, rate });
      byCurrency.set(currency, rows);
    }
  }
  return byCurrency;
}

/** By ISO 4217 code, oldest first. No list is empty. */
export const rateRows = rowsByCurrency();
