import { ApiProperty } from '@nestjs/swagger';
import { planOutcomes, type Plan } from '../../../libs/stores/index.js';
import { deletedOf } from '../../platform/http/bodies/deleted.dto.js';
import { IntField, StringArrayField, StringField } from '../../platform/http/bodies/fields.js';
import { listOf } from '../../platform/http/lists/list.dto.js';
import { BodyExample } from '../../platform/http/bodies/body-example.js';

const EARLIEST_MS = Date.UTC(2000, 0, 1);
const LATEST_MS = Date.UTC(2200, 0, 1);

const PLAN =
  'What happens to the periods of each Test Store subscription, first to last; the last entry applies to all further ' +
  'ones. `renew`: renewed at the end. `cancel`: cancelled halfway. `billing_issue`: the charge at the end fails, with ' +
  'the grace of the product. `billing_recovery`: it fails, and succeeds a day later.';

const NameField = (options: { optional?: boolean } = {}) =>
  StringField({ max: 255, example: 'Trial to paid', ...options });
const PlanField = () =>
  StringArrayField({
    min: 1,
    max: 100,
    itemMax: 20,
    values: planOutcomes,
    optional: true,
    description: PLAN,
  });
const FrozenTimeField = (description: string) => IntField({ min: EARLIEST_MS, max: LATEST_MS, description });

@BodyExample({ name: 'Trial to paid', frozen_time: 1767225600000 })
export class CreateTestClockDto {
  @NameField()
  name: string;

  @FrozenTimeField('The current time of its customers, epoch milliseconds.')
  frozen_time: number;

  @PlanField()
  plan?: Plan;
}

@BodyExample({ name: 'Trial to paid' })
export class UpdateTestClockDto {
  @NameField({ optional: true })
  name?: string;

  @PlanField()
  plan?: Plan;
}

@BodyExample({ frozen_time: 1798761600000 })
export class AdvanceTestClockDto {
  @FrozenTimeField('The new time, epoch milliseconds: later than the current one, by at most two years.')
  frozen_time: number;
}

@BodyExample({ customer_id: 'grace' })
export class AttachCustomerDto {
  @StringField({ max: 1500, description: 'Any app user id of the customer.' })
  customer_id: string;
}

export class TestClockDto {
  @ApiProperty({ enum: ['test_clock'] })
  object: 'test_clock';

  @ApiProperty({ type: String })
  id: string;

  @ApiProperty({ type: String })
  name: string;

  @ApiProperty({ type: 'integer', description: 'The current time of its customers, epoch milliseconds.' })
  frozen_time: number;

  @ApiProperty({
    enum: ['ready', 'advancing', 'failed'],
    description: '`failed`: a customer could not be advanced; see `error`.',
  })
  status: 'ready' | 'advancing' | 'failed';

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'The time it is advancing to; null if it is ready.',
  })
  target_time: number | null;

  @ApiProperty({
    type: Number,
    nullable: true,
    minimum: 0,
    maximum: 1,
    description: 'How much of the advance is done, 0 to 1; null if it is ready.',
    example: 0.25,
  })
  progress: number | null;

  @ApiProperty({ type: String, nullable: true, description: 'Why it `failed`; otherwise null.' })
  error: string | null;

  @ApiProperty({ enum: planOutcomes, isArray: true, description: PLAN })
  plan: Plan;

  @ApiProperty({ type: [String], description: 'Original app user ids of the attached customers.' })
  customer_ids: string[];

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description:
      'When the first running period of its Test Store subscriptions ends, epoch milliseconds; null if none is running.',
  })
  period_ends_at: number | null;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  created_at: number;
}

export class TestClockListDto extends listOf(TestClockDto) {}

export class DeletedTestClockDto extends deletedOf('test_clock') {}
