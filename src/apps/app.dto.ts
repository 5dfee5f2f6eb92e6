import { ApiProperty } from '@nestjs/swagger';
import { EnumField, StringField } from '../http/fields.js';
import { listOf } from '../http/list.dto.js';
import { type AppType, appTypes } from './app-types.js';

export class CreateAppDto {
  @StringField({ max: 255, example: 'My app' })
  name: string;

  @EnumField(appTypes, { example: 'test_store', description: 'The store the app belongs to.' })
  type: AppType;
}

export class AppDto {
  @ApiProperty({ enum: ['app'] })
  object: 'app';

  @ApiProperty({ type: String, example: 'app0sx2k8v0a1' })
  id: string;

  @ApiProperty({ type: String })
  name: string;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  created_at: number;

  @ApiProperty({ enum: appTypes })
  type: AppType;

  @ApiProperty({ type: String })
  project_id: string;

  @ApiProperty({ type: String, example: 'rc-0a1b2c3d4e' })
  custom_url_scheme: string;
}

export class AppListDto extends listOf(AppDto) {}

export class PublicApiKeyDto {
  @ApiProperty({ enum: ['public_api_key'] })
  object: 'public_api_key';

  @ApiProperty({ type: String, example: 'pk_app0sx2k8v0a1' })
  id: string;

  @ApiProperty({ type: String, example: 'test_…' })
  key: string;

  @ApiProperty({ enum: ['sandbox', 'production'] })
  environment: 'sandbox' | 'production';

  @ApiProperty({ type: String })
  app_id: string;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  created_at: number;
}

export class PublicApiKeyListDto extends listOf(PublicApiKeyDto) {}
