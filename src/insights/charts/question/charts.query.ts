import {
  BooleanParameter,
  ChoiceParameter,
  IntParameter,
  listedValues,
  QueryParameter,
  TextParameter,
} from '../../../platform/http/lists/query-parameters.js';
import {
  displayCurrencyNames,
  type DisplayCurrency,
} from '../../../platform/exchange-rates/display-currencies.js';

const MAX_SEGMENTS = 100;
const DEFAULT_SEGMENTS = 10;

/** Parameters that can be validated alone. The others depend on the chart and are read with it. */
export class ChartQuery {
  @TextParameter({
    description: 'Size of a bucket: `0` to `4`, or day, week, month, quarter, year.',
    example: 'month',
  })
  resolution: string | null;

  @TextParameter({
    description: 'First day, included. Default: 90 days before the end, 12 months for cohort tables.',
    example: '2026-01-01',
  })
  start_date: string | null;

  @TextParameter({ description: 'Last day, included. Default: today.', example: '2026-05-31' })
  end_date: string | null;

  @TextParameter({
    description: 'JSON array of filters. The values of a filter are alternatives; all filters must match.',
    example: '[{"name": "country", "values": ["US", "GB"]}]',
  })
  filters: string | null;

  @TextParameter({
    description: 'JSON object, selector to option.',
    example: '{"revenue_type": "proceeds"}',
  })
  selectors: string | null;

  @TextParameter({ description: 'Splits the values by this dimension.', example: 'country' })
  segment: string | null;

  @IntParameter({
    min: 1,
    max: MAX_SEGMENTS,
    default: DEFAULT_SEGMENTS,
    description: `Number of segments that are shown; the rest is in "Other". Default ${DEFAULT_SEGMENTS}.`,
  })
  limit_num_segments: number;

  @QueryParameter(
    {
      isArray: true,
      enum: ['average', 'total'],
      explode: false,
      description: 'Only these parts of the summary are returned, and no values. Separated by a comma.',
    },
    (query, name) => (query[name] === undefined ? null : listedValues(query, name)),
  )
  aggregate: string[] | null;

  @ChoiceParameter(displayCurrencyNames, {
    default: 'USD',
    description: 'Each payment is converted at the rate of its day.',
  })
  currency: DisplayCurrency;

  @BooleanParameter({ description: 'A whole first bucket instead of the part from `start_date` on.' })
  expand_periods: boolean;

  @BooleanParameter({ description: 'Adds `annotations`; there are none.' })
  include_annotations: boolean;

  @BooleanParameter({ description: 'Ignored: there is one generation of charts.' })
  realtime: boolean;

  @BooleanParameter({
    description: 'Computes a chart of a large project again if its stored answer is older than a minute.',
  })
  fresh: boolean;

  @ChoiceParameter(['production', 'sandbox'], { default: 'production', description: 'Default: production.' })
  environment: 'production' | 'sandbox';

  @ChoiceParameter(['json', 'csv'], {
    default: 'json',
    description: '`csv` as with `Accept: text/csv`. Default: json.',
  })
  format: 'json' | 'csv';
}

export class ChartPreviewsQuery {
  @TextParameter({ description: 'As for `getChart`. Default: day.', example: 'week' })
  resolution: string | null;

  @TextParameter({
    description: 'First day, included. Default: 90 days before the end.',
    example: '2026-01-01',
  })
  start_date: string | null;

  @TextParameter({ description: 'Last day, included. Default: today.', example: '2026-05-31' })
  end_date: string | null;

  @ChoiceParameter(displayCurrencyNames, { default: 'USD', description: 'Default: USD.' })
  currency: DisplayCurrency;

  @ChoiceParameter(['production', 'sandbox'], { default: 'production', description: 'Default: production.' })
  environment: 'production' | 'sandbox';
}

export class ChartOptionsQuery {
  @BooleanParameter({ description: 'Without effect.' })
  realtime: boolean;

  @ChoiceParameter(['production', 'sandbox'], { default: 'production', description: 'Default: production.' })
  environment: 'production' | 'sandbox';
}

export class RevenueMetricQuery {
  @TextParameter({ required: true, description: 'First day, included.', example: '2026-01-01' })
  start_date: string;

  @TextParameter({ required: true, description: 'Last day, included.', example: '2026-05-31' })
  end_date: string;

  @ChoiceParameter(displayCurrencyNames, { default: 'USD', description: 'Default: USD.' })
  currency: DisplayCurrency;

  @ChoiceParameter(['revenue', 'revenue_net_of_taxes', 'proceeds'], {
    default: 'revenue',
    description: 'Default: revenue.',
  })
  revenue_type: string;

  @ChoiceParameter(['production', 'sandbox'], { default: 'production', description: 'Default: production.' })
  environment: 'production' | 'sandbox';
}
