import {
  type DisplayCurrency,
  displayCurrencyNames,
} from '../../platform/exchange-rates/display-currencies.js';
import { PageQuery } from '../../platform/http/lists/page-query.js';
import { ChoiceParameter, TextParameter } from '../../platform/http/lists/query-parameters.js';
import {
  sortDirections,
  type TransactionOrder,
  transactionSorts,
} from './subscription-transactions.repository.js';

export class SearchSubscriptionsQuery extends PageQuery {
  @TextParameter({
    max: 1500,
    required: true,
    example: 'test_1767323045123_8f14e45f-ceea-467f-a8f5-5f1c3f9d3b11',
    description: 'Any transaction id, original transaction id, order id or token that it ever had.',
  })
  store_subscription_identifier: string;
}

export class ListSubscriptionTransactionsQuery extends PageQuery implements TransactionOrder {
  @ChoiceParameter(transactionSorts, { default: 'id', description: 'Default `id`, in byte order.' })
  sort: TransactionOrder['sort'];

  @ChoiceParameter(sortDirections, { default: 'asc', description: 'Default `asc`.' })
  direction: TransactionOrder['direction'];

  @ChoiceParameter(displayCurrencyNames, { description: 'Adds the amount in this currency.' })
  currency: DisplayCurrency | null;
}
