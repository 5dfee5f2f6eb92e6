import { formatMoney } from '../ui/format/format-money.js';
import { formatFullNumber } from '../ui/format/format-number.js';
import type { Results } from './experiments.queries.js';

/** A formatted figure of a variant; null if there is none. */
export interface Cell {
  value: string;
  change: string | null;
  interval: [lower: string, upper: string] | null;
  chance: string | null;
}

export interface ResultTable {
  variants: string[];
  sections: { name: string; rows: { metric: string; cells: Cell[] }[] }[];
}

const NONE = '—';

function percent(locale: string, value: number, signed = false): string {
  return new Intl.NumberFormat(locale, {
    style: 'percent',
    maximumFractionDigits: 1,
    signDisplay: signed ? 'exceptZero' : 'auto',
  }).format(value / 100);
}

function shown(unit: string, value: number | null, currency: string, locale: string): string {
  if (value === null) return NONE;
  if (unit === '%') return percent(locale, value);
  return unit === '$' ? formatMoney(locale, value, currency) : formatFullNumber(locale, value);
}

/** Figures for all products, by section and metric, with each variant's statistics. */
export function resultRows({ sections, statistics, currency }: Results, locale: string): ResultTable {
  const variants = [...new Set(sections.flatMap(({ values }) => values.map(({ variant }) => variant)))];
  return {
    variants,
    sections: sections.map(({ section, metrics, values }) => ({
      name: section,
      rows: metrics.map(({ name, unit }, place) => ({
        metric: name,
        cells: variants.map((variant): Cell => {
          const figure = values.find(
            (one) => one.metric === place && one.segment === 0 && one.variant === variant,
          );
          const found = statistics
            .find(({ metric_name: metric }) => metric === name)
            ?.variants.find((one) => one.name === variant);
          const lower = found?.credible_interval_lower ?? null;
          const upper = found?.credible_interval_upper ?? null;
          const change = figure?.change ?? null;
          const chance = found?.chance_to_win ?? null;
          return {
            value: shown(unit, figure?.value ?? null, currency, locale),
            change: change === null ? null : percent(locale, change, true),
            interval:
              lower === null || upper === null
                ? null
                : [shown(unit, lower, currency, locale), shown(unit, upper, currency, locale)],
            chance: chance === null ? null : percent(locale, chance * 100),
          };
        }),
      })),
    })),
  };
}
