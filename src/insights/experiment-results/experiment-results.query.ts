import { ApiError } from '../../platform/http/errors/api-error.js';
import {
  ChoiceParameter,
  listedValues,
  QueryParameter,
  type RawQuery,
  singleValue,
} from '../../platform/http/lists/query-parameters.js';
import {
  type DisplayCurrency,
  displayCurrencyNames,
} from '../../platform/exchange-rates/display-currencies.js';
import type { ResultEnvironment } from './experiment-figures.repository.js';

const MAX_VALUES = 250;

/** Values separated by commas; null selects all. */
function NarrowingParameter(description: string, example: string[]): PropertyDecorator {
  const schema = { type: 'array', items: { type: 'string' }, description, example, explode: false };
  return QueryParameter(schema as never, (query: RawQuery, name: string) => {
    const values = [...new Set(listedValues(query, name))];
    if (values.length > MAX_VALUES)
      throw ApiError.parameter(name, `${name} must have at most ${MAX_VALUES} values.`);
    return values.length === 0 ? null : values;
  });
}

/** Views of paywalls are not recorded, so they cannot filter results. */
function ExposureParameter(): PropertyDecorator {
  const description = 'Not available: views of paywalls are not collected.';
  return QueryParameter({ type: String, description, deprecated: true }, (query, name) => {
    if (singleValue(query, name) === null) return null;
    throw ApiError.parameter(
      name,
      'exposure_status cannot be filtered: views of paywalls are not collected.',
    );
  });
}

export class ExperimentResultsQuery {
  @ChoiceParameter(displayCurrencyNames, {
    default: 'USD',
    description: 'The sums are converted at the newest rate. Default: USD.',
  })
  currency: DisplayCurrency;

  @ChoiceParameter(['production', 'sandbox'], {
    default: 'production',
    description: '`sandbox`: all customers, with their sandbox purchases. Default: production.',
  })
  environment: ResultEnvironment;

  @NarrowingParameter('Platforms that customers joined from.', ['ios', 'android'])
  platform: string[] | null;

  @NarrowingParameter('Countries that customers joined from.', ['US', 'DE'])
  country: string[] | null;

  @ExposureParameter()
  exposure_status: null;

  @ChoiceParameter(['json', 'csv'], {
    default: 'json',
    description: '`csv` as with `Accept: text/csv`. Default: json.',
  })
  format: 'json' | 'csv';
}
