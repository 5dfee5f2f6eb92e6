import { ApiProperty } from '@nestjs/swagger';
import { type Feature, features } from './features.js';
import type { LicenceStatus } from './licence.policy.js';

export class EnterpriseStatusDto {
  @ApiProperty({ enum: ['enterprise'] })
  object: 'enterprise';

  @ApiProperty({ enum: ['development', 'licensed', 'invalid'] })
  mode: LicenceStatus['mode'];

  @ApiProperty({
    enum: features,
    enumName: 'EnterpriseFeature',
    isArray: true,
    description: 'Features that are on.',
  })
  features: Feature[];

  @ApiProperty({ type: String, nullable: true, description: 'To whom the licence was issued.' })
  licensee: string | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Epoch milliseconds.' })
  expires_at: number | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Information about the licence, or what to do about it.',
  })
  message: string | null;
}

export function presentStatus(status: LicenceStatus): EnterpriseStatusDto {
  return {
    object: 'enterprise',
    mode: status.mode,
    features: [...status.features],
    licensee: status.licensee,
    expires_at: status.expiresAtMs,
    message: status.message,
  };
}
