import { ApiError } from '../../platform/http/api-error.js';
import { singleQueryValue } from '../../platform/http/lists.js';
import { environmentQuery } from '../../platform/http/query-parameters.js';
import type { ApiRequest } from '../../platform/http/request.js';
import { historyMetrics, MAX_HISTORY_DAYS, MIN_HISTORY_DAYS, OVERVIEW_DAYS } from './metric-catalogue.js';
import type { MetricEnvironment } from './metric-periods.js';
import type { HistoryRequest } from './metrics.service.js';

/** @throws ApiError 400 for any currency but USD */
function checkCurrency(request: ApiRequest): void {
  const currency = singleQueryValue(request.query, 'currency');
  if (currency !== null && currency !== 'USD') {
    throw ApiError.parameter('currency', 'currency must be USD.');
  }
}

function daysQuery(request: ApiRequest): number {
  const text = singleQueryValue(request.query, 'days');
  if (text === null) return OVERVIEW_DAYS;
  const days = Number(text);
  if (!/^\d{1,3}$/.test(text) || days < MIN_HISTORY_DAYS || days > MAX_HISTORY_DAYS) {
    const range = `${MIN_HISTORY_DAYS} to ${MAX_HISTORY_DAYS}`;
    throw ApiError.parameter('days', `days must be a whole number from ${range}.`);
  }
  return days;
}

/** @throws ApiError 400 naming the first bad parameter */
export function overviewQuery(request: ApiRequest): { environment: MetricEnvironment } {
  checkCurrency(request);
  return { environment: environmentQuery(request) ?? 'production' };
}

/** @throws ApiError 400 naming the first bad parameter */
export function historyQuery(request: ApiRequest): HistoryRequest {
  const name = singleQueryValue(request.query, 'metric');
  const metric = historyMetrics.find((known) => known === name);
  if (metric === undefined) {
    throw ApiError.parameter('metric', `metric must be one of ${historyMetrics.join(', ')}.`);
  }
  return { metric, days: daysQuery(request), ...overviewQuery(request) };
}
