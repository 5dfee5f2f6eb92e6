import { ChoiceParameter } from '../../../platform/http/lists/query-parameters.js';
import { deliveryReasons } from '../../deliveries/delivery-reason.js';
import { ListDeliveriesQuery } from '../../deliveries/log/deliveries.query.js';
import type { DeliveryFilter } from '../../deliveries/log/delivery-log.repository.js';
import { deliveryStatuses } from './destination-delivery.dto.js';

export class ListDestinationDeliveriesQuery extends ListDeliveriesQuery {
  @ChoiceParameter(deliveryStatuses, { description: 'Default: any.' })
  status: DeliveryFilter['status'];

  @ChoiceParameter(deliveryReasons, { description: 'Only deliveries with this reason. Default: any.' })
  reason: DeliveryFilter['reason'];
}
