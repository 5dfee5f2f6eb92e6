import { ApiProperty } from '@nestjs/swagger';
import { BodyExample } from '../../platform/http/bodies/body-example.js';

@BodyExample({ attributes: { $email: { value: 'ada@example.com', updated_at_ms: 1767225600000 } } })
export class SdkAttributesBodyDto {
  @ApiProperty({
    type: 'object',
    additionalProperties: {
      type: 'object',
      properties: {
        value: { type: 'string', nullable: true, description: 'Null or empty deletes the attribute.' },
        updated_at_ms: {
          type: 'integer',
          description: 'When the app set it; an older value does not replace a newer one.',
        },
      },
    },
  })
  attributes: object;
}

@BodyExample({
  network: 1,
  data: { rc_idfa: '00000000-0000-0000-0000-000000000001', rc_attribution_network_id: 'ada' },
})
export class AttributionBodyDto {
  @ApiProperty({ type: 'integer', description: '0 to 7: which network the data is from.' })
  network: number;

  @ApiProperty({ type: 'object', additionalProperties: true })
  data: object;
}

@BodyExample({ aad_attribution_token: 'an attribution token of the device' })
export class AdServicesBodyDto {
  @ApiProperty({ type: String })
  aad_attribution_token: string;
}

export class SubscriberAttributesDto {
  @ApiProperty({
    type: 'object',
    additionalProperties: {
      type: 'object',
      properties: { value: { type: 'string' }, updated_at_ms: { type: 'integer' } },
      required: ['value', 'updated_at_ms'],
    },
  })
  subscriber_attributes: object;
}
