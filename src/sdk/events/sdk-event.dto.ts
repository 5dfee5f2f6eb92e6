import { ApiProperty } from '@nestjs/swagger';
import { BodyExample } from '../../platform/http/bodies/body-example.js';

const example = {
  type: 'paywall_impression',
  id: '7f3c1f1e-9d0a-4c8e-8d7c-2b6f0a5e4d21',
  app_user_id: 'user_42',
  offering_id: 'default',
  timestamp: 1_790_000_000_000,
};

/** Documents the body; the route reads whatever it gets. */
@BodyExample({ events: [example] })
export class SdkEventsDto {
  @ApiProperty({
    type: 'array',
    maxItems: 500,
    items: { type: 'object', additionalProperties: true, example },
    description:
      'Each event needs `type`, `id` (a UUID, the same in every repeat), `app_user_id` and `timestamp` (epoch milliseconds). `offering_id` and `paywall_id` name what was shown.',
  })
  events: Record<string, unknown>[];
}
