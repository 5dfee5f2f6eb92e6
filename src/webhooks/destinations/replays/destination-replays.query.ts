import { LimitParameter, PageQuery } from '../../../platform/http/lists/page-query.js';

export class ListDestinationReplaysQuery extends PageQuery {
  // Each replay has up to 10,000 deliveries to count.
  @LimitParameter(20)
  override limit = 20;
}
