import { PageQuery } from '../../platform/http/lists/page-query.js';
import { EnvironmentParameter, TextParameter } from '../../platform/http/lists/query-parameters.js';

export class SearchPurchasesQuery extends PageQuery {
  @TextParameter({
    max: 1500,
    required: true,
    example: 'test_1767323045123_8f14e45f-ceea-467f-a8f5-5f1c3f9d3b11',
    description: 'Transaction or order id, or token.',
  })
  store_purchase_identifier: string;
}

export class ListCustomerPurchasesQuery extends PageQuery {
  @EnvironmentParameter()
  environment: 'production' | 'sandbox' | null;
}
