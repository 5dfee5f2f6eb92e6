import { LimitParameter, PageQuery } from '../../../platform/http/lists/page-query.js';
import { ChoiceParameter, TimeParameter } from '../../../platform/http/lists/query-parameters.js';
import type { DeliveryFilter } from '../../deliveries/log/delivery-log.repository.js';
import { ListDeliveriesQuery } from '../../deliveries/log/deliveries.query.js';
import { deliveryStatuses } from './webhook-delivery.dto.js';

export class ListWebhookDeliveriesQuery extends ListDeliveriesQuery {
  @ChoiceParameter(deliveryStatuses, { description: 'Default: any.' })
  status: DeliveryFilter['status'];
}

export class ListWebhookEventsQuery extends PageQuery {
  @TimeParameter({
    description: 'Only events recorded at or after this time, epoch milliseconds. Default: one minute ago.',
  })
  since: Date | null;
}

export class ListWebhookReplaysQuery extends PageQuery {
  // Each replay has up to 10,000 deliveries to count.
  @LimitParameter(20)
  override limit = 20;
}
