import { ChoiceParameter, IntParameter } from '../../platform/http/lists/query-parameters.js';
import {
  type DisplayCurrency,
  displayCurrencyNames,
} from '../../platform/exchange-rates/display-currencies.js';
import { historyMetrics, MAX_HISTORY_DAYS, MIN_HISTORY_DAYS, OVERVIEW_DAYS } from './metric-catalogue.js';
import type { HistoryRequest } from './metrics.service.js';

export class MetricsQuery {
  @ChoiceParameter(displayCurrencyNames, {
    default: 'USD',
    description: 'Default: USD. Amounts are converted at the rates of the days of their purchases.',
  })
  currency: DisplayCurrency;

  @ChoiceParameter(['production', 'sandbox'], {
    default: 'production',
    description: 'Default: production. Customers belong to no environment and are always counted.',
  })
  environment: HistoryRequest['environment'];
}

export class MetricHistoryQuery extends MetricsQuery implements HistoryRequest {
  @ChoiceParameter(historyMetrics, { required: true, description: 'The metric to show.' })
  metric: HistoryRequest['metric'];

  @IntParameter({
    min: MIN_HISTORY_DAYS,
    max: MAX_HISTORY_DAYS,
    default: OVERVIEW_DAYS,
    description: `${MIN_HISTORY_DAYS} to ${MAX_HISTORY_DAYS}, today included. Default ${OVERVIEW_DAYS}.`,
  })
  days: number;
}
