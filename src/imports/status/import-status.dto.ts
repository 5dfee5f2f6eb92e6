import { ApiProperty } from '@nestjs/swagger';

export class ImportStatusDto {
  @ApiProperty({ enum: ['import_status'] })
  object: 'import_status';

  @ApiProperty({
    type: 'integer',
    example: 31_877,
    description: 'Customers of the project, imported or not.',
  })
  customers: number;

  @ApiProperty({
    type: 'integer',
    example: 24_112,
    description: 'Subscriptions of the project, imported or not.',
  })
  subscriptions: number;

  @ApiProperty({
    type: 'integer',
    example: 310,
    description:
      'Google Play subscriptions without a purchase token. They keep the access they were imported with.',
  })
  needs_token_refresh: number;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    example: { app0sx2k8v0a1: 310 },
    description: 'The same by app. Apps without any are left out.',
  })
  needs_token_refresh_by_app: Record<string, number>;

  @ApiProperty({
    type: 'integer',
    example: 12,
    description: 'App Store subscriptions whose original transaction id the App Store has not confirmed.',
  })
  unconfirmed_original_ids: number;

  @ApiProperty({
    type: 'integer',
    example: 41,
    description: 'Subscriptions without a purchase token that give access after the end of their period.',
  })
  held_open: number;

  @ApiProperty({
    type: 'integer',
    example: 96_448,
    description: 'Imported transactions whose price is unknown. They add nothing to revenue.',
  })
  transactions_without_price: number;

  @ApiProperty({
    type: 'integer',
    example: 7,
    description:
      'Refunded periods of unknown length. They count as one month until the product has a duration and they are imported again.',
  })
  periods_of_unknown_length: number;

  @ApiProperty({
    type: 'integer',
    example: 0,
    description: 'Imported purchases that a store will be asked about.',
  })
  resolving: number;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    example: 1_767_323_045_678,
    description: 'Epoch milliseconds; null if nothing was imported.',
  })
  last_import_at: number | null;
}
