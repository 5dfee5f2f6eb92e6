import { ApiProperty } from '@nestjs/swagger';
import { CustomerInfoDto } from '../../customers/customers/customer-info/customer-info.dto.js';
import { AttributeErrorDto } from '../../platform/http/errors/error.dto.js';
import { BodyExample } from '../../platform/http/bodies/body-example.js';

/** Documents the body. `readReceiptBody` parses it more leniently than a schema can express. */
@BodyExample({
  app_user_id: 'ada',
  product_id: 'pro_monthly',
  fetch_token: 'test_1767323045123_8f14e45f-ceea-467f-a8f5-5f1c3f9d3b11',
})
export class ReceiptBodyDto {
  @ApiProperty({ type: String, minLength: 1, maxLength: 100 })
  app_user_id: string;

  @ApiProperty({
    type: String,
    required: false,
    example: 'test_1767323045123_8f14e45f-ceea-467f-a8f5-5f1c3f9d3b11',
  })
  fetch_token?: string;

  @ApiProperty({ type: String, required: false, description: "Amazon's user id." })
  store_user_id?: string;

  @ApiProperty({
    type: String,
    required: false,
    description: 'App transaction (JWS); accepted, not required.',
  })
  app_transaction?: string;

  @ApiProperty({ type: String, required: false, example: 'pro_monthly' })
  product_id?: string;

  @ApiProperty({ type: [String], required: false })
  product_ids?: string[];

  @ApiProperty({ type: Number, required: false, description: 'Price in units of the currency.' })
  price?: number;

  @ApiProperty({ type: String, required: false, example: 'USD' })
  currency?: string;

  @ApiProperty({ type: Boolean, required: false })
  is_restore?: boolean;

  @ApiProperty({ type: String, required: false })
  presented_offering_identifier?: string;

  @ApiProperty({ type: String, required: false })
  presented_placement_identifier?: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    selfRequired: false,
    description: '`targeting` of the offerings that the purchase was made from: `{ revision, rule_id }`.',
  })
  applied_targeting_rule?: object;

  @ApiProperty({
    type: String,
    required: false,
    example: 'P1M',
    description: 'Roku only: how long the introductory price of the product lasts (ISO 8601).',
  })
  intro_duration?: string;

  @ApiProperty({
    type: String,
    required: false,
    example: 'P1W',
    description: 'Roku only: how long the free trial of the product lasts (ISO 8601).',
  })
  trial_duration?: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    selfRequired: false,
    description:
      'Customer attributes: `{ name: { value, updated_at_ms } }`. An invalid attribute does not fail the receipt.',
  })
  attributes?: object;

  @ApiProperty({ type: String, required: false, description: "Apple's attribution token, stored unchanged." })
  aad_attribution_token?: string;
}

class PurchasedProductDto {
  @ApiProperty({ type: Boolean })
  should_consume: boolean;
}

class AttributesErrorResponseDto {
  @ApiProperty({ type: [AttributeErrorDto] })
  attribute_errors: AttributeErrorDto[];
}

export class ReceiptResponseDto extends CustomerInfoDto {
  @ApiProperty({ type: 'object', additionalProperties: { $ref: '#/components/schemas/PurchasedProductDto' } })
  purchased_products: Record<string, PurchasedProductDto>;

  @ApiProperty({
    type: AttributesErrorResponseDto,
    required: false,
    description: 'Attributes that were not saved. The purchase itself was recorded.',
  })
  attributes_error_response?: AttributesErrorResponseDto;
}

export const receiptModels = [PurchasedProductDto];
