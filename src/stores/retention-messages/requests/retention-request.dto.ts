import { ApiProperty } from '@nestjs/swagger';
import { StringField } from '../../../platform/http/bodies/fields.js';

export class RetentionRequestDto {
  @StringField({ max: 16_384, description: "Apple's signed request." })
  signedPayload: string;
}

class ShownMessageDto {
  @ApiProperty({ type: String })
  messageIdentifier: string;
}

class AlternateProductDto extends ShownMessageDto {
  @ApiProperty({ type: String })
  productId: string;
}

class ShownOfferDto extends ShownMessageDto {
  @ApiProperty({ type: String })
  promotionalOfferSignatureV2: string;
}

/** Has exactly one field. */
export class RetentionAnswerDto {
  @ApiProperty({ type: ShownMessageDto, required: false })
  message?: ShownMessageDto;

  @ApiProperty({ type: AlternateProductDto, required: false })
  alternateProduct?: AlternateProductDto;

  @ApiProperty({ type: ShownOfferDto, required: false })
  promotionalOffer?: ShownOfferDto;
}
