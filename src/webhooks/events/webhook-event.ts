import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { CustomerInfoDto } from '../../customers/customers/customer-info/customer-info.dto.js';
import { documentUnion, documentWebhook } from '../../platform/api-docs/openapi-additions.js';
import {
  ExperimentEnrollmentEventDto,
  PurchaseRedeemedEventDto,
  SubscriberAliasEventDto,
  TransferEventDto,
  VirtualCurrencyEventDto,
} from './customer-event.dto.js';
import {
  ConsentEventDto,
  consentEventTypes,
  PurchaseEventDto,
  purchaseEventTypes,
  TestEventDto,
} from './purchase-event.dto.js';
import { RefundDecisionEventDto, RefundRequestedEventDto } from './refund-event.dto.js';

/** The body of an event, as recorded and as sent in `event` of a webhook. */
export type WebhookEvent =
  | PurchaseEventDto
  | ConsentEventDto
  | TransferEventDto
  | SubscriberAliasEventDto
  | VirtualCurrencyEventDto
  | ExperimentEnrollmentEventDto
  | PurchaseRedeemedEventDto
  | RefundRequestedEventDto
  | RefundDecisionEventDto
  | TestEventDto;

const members = [
  { model: PurchaseEventDto, values: purchaseEventTypes },
  { model: ConsentEventDto, values: consentEventTypes },
  { model: TransferEventDto, values: ['TRANSFER'] },
  { model: SubscriberAliasEventDto, values: ['SUBSCRIBER_ALIAS'] },
  { model: VirtualCurrencyEventDto, values: ['VIRTUAL_CURRENCY_TRANSACTION'] },
  { model: ExperimentEnrollmentEventDto, values: ['EXPERIMENT_ENROLLMENT'] },
  { model: PurchaseRedeemedEventDto, values: ['PURCHASE_REDEEMED'] },
  { model: RefundRequestedEventDto, values: ['REFUND_REQUESTED'] },
  { model: RefundDecisionEventDto, values: ['REFUND_REQUEST_DECIDED'] },
  { model: TestEventDto, values: ['TEST'] },
];

const UNION = 'WebhookEvent';

/** The body of a delivery. */
class WebhookPayloadDto {
  @ApiProperty({ type: String, example: '1.0' })
  api_version: string;

  @ApiProperty({ allOf: [{ $ref: getSchemaPath(UNION) }] })
  event: WebhookEvent;

  @ApiProperty({
    type: CustomerInfoDto,
    nullable: true,
    required: false,
    description:
      'Only with `include_customer_info`: what the SDK would get for the customer. Null for `TEST` events, for deleted customers, and if the body would become too large.',
  })
  customer_info?: CustomerInfoDto | null;
}

documentUnion({
  name: UNION,
  description: 'The `event` of a webhook. Later versions of the server may send further types.',
  discriminator: 'type',
  members,
});

documentWebhook({
  name: 'webhookEvent',
  summary: 'An event of a customer',
  description:
    'Signed and sent to each webhook integration whose filter matches, and repeated until the endpoint answers 200.',
  tag: 'Webhook deliveries',
  body: WebhookPayloadDto,
});

/** Models of the document that no route names. */
export const webhookEventModels = [WebhookPayloadDto, ...members.map(({ model }) => model)];
