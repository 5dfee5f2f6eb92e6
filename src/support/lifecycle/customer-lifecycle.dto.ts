import { ApiProperty } from '@nestjs/swagger';
import { AttributeFieldDto } from '../attributes/attribute.dto.js';
import { deletedOf } from '../../platform/http/bodies/deleted.dto.js';
import { ObjectArrayField, StringField } from '../../platform/http/bodies/fields.js';
import { BodyExample } from '../../platform/http/bodies/body-example.js';

@BodyExample({ id: 'grace', attributes: [{ name: '$email', value: 'grace@example.com' }] })
export class CreateCustomerDto {
  @StringField({ max: 100, description: 'App user id, 1 to 100 characters without a slash.' })
  id: string;

  @ObjectArrayField(() => AttributeFieldDto, { max: 50, optional: true })
  attributes?: AttributeFieldDto[];

  @StringField({
    max: 255,
    optional: true,
    nullable: true,
    description: 'A test clock for the customer. It cannot be changed later.',
  })
  test_clock_id?: string | null;
}

export class DeletedCustomerDto extends deletedOf('customer') {}

export class DeletedSubscriberDto {
  @ApiProperty({ type: String })
  app_user_id: string;

  @ApiProperty({ enum: [true] })
  deleted: true;
}
