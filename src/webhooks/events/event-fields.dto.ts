import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import type { Store } from '../../../libs/engine/index.js';
import { SdkAttributeDto } from '../../customers/customers/customer-info/customer-info.dto.js';

/** Every store, so that the compiler notices a missing one. */
const storesByName: Record<Store, true> = {
  amazon: true,
  app_store: true,
  mac_app_store: true,
  paddle: true,
  play_store: true,
  promotional: true,
  rc_billing: true,
  roku: true,
  stripe: true,
  test_store: true,
};

/** Stores and environments are upper-case in events. */
export const eventStores = Object.keys(storesByName).map((store) => store.toUpperCase());
export const eventEnvironments = ['PRODUCTION', 'SANDBOX'];

/** Fields of every event body. */
export class EventHeadDto {
  @ApiProperty({ type: String, description: 'The same in every attempt, replay and integration.' })
  id: string;

  @ApiProperty({
    type: 'integer',
    description: 'Epoch milliseconds; increases with `sequence`.',
  })
  event_timestamp_ms: number;
}

export class SequencedEventDto extends EventHeadDto {
  @ApiProperty({ type: 'integer', description: 'Increases by one with each event of the customer.' })
  sequence: number;
}

export class CustomerEventFieldsDto extends SequencedEventDto {
  @ApiProperty({ type: String, description: 'An identified id of the customer if there is one.' })
  app_user_id: string;

  @ApiProperty({ type: String })
  original_app_user_id: string;

  @ApiProperty({ type: [String], description: 'All app user ids of the customer.' })
  aliases: string[];
}

/** Attributes by name, without deleted ones. */
export const SubscriberAttributes = (): PropertyDecorator =>
  ApiProperty({
    type: 'object',
    additionalProperties: { $ref: getSchemaPath(SdkAttributeDto) },
    description: 'Attributes of the customer by name.',
  });

export const EventAppId = (): PropertyDecorator =>
  ApiProperty({ type: String, required: false, description: 'Absent if the event has no app.' });

export const EntitlementIds = (): PropertyDecorator =>
  ApiProperty({
    type: [String],
    nullable: true,
    description: 'Lookup keys of the entitlements that the purchase unlocks; null if there are none.',
  });

export const CountryCode = (): PropertyDecorator =>
  ApiProperty({ type: String, nullable: true, description: 'ISO 3166-1, two letters.' });

export const Currency = (): PropertyDecorator =>
  ApiProperty({ type: String, nullable: true, description: 'ISO 4217.' });
