import type { DisplayCurrency } from '../../platform/exchange-rates/display-currencies.js';
import { overviewMetrics } from './metric-catalogue.js';
import type { MetricHistoryDto, OverviewMetricsDto } from './metrics.dto.js';
import type { History, HistoryRequest, Overview } from './metrics.service.js';

export function presentOverview(currency: DisplayCurrency, overview: Overview): OverviewMetricsDto {
  return {
    object: 'overview_metrics',
    currency,
    metrics: overviewMetrics.map(({ id, name, description, unit, period }) => {
      const { value, updatedAtMs } = overview[id];
      return {
        object: 'overview_metric',
        id,
        name,
        description,
        unit,
        period,
        value,
        last_updated_at: updatedAtMs,
        last_updated_at_iso8601: new Date(updatedAtMs).toISOString(),
      };
    }),
  };
}

export function presentHistory(
  { metric, days, environment, currency }: HistoryRequest,
  { value, previousValue, values, updatedAtMs }: History,
): MetricHistoryDto {
  return {
    object: 'metric_history',
    id: metric,
    currency,
    days,
    environment,
    resolution: 'day',
    value,
    previous_value: previousValue,
    values: values.map((entry) => ({ date: entry.day, value: entry.value })),
    last_updated_at: updatedAtMs,
  };
}
