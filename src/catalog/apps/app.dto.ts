import { ApiProperty } from '@nestjs/swagger';
import { deletedOf } from '../../platform/http/bodies/deleted.dto.js';
import { EnumField, ObjectField, StringField } from '../../platform/http/bodies/fields.js';
import { listOf } from '../../platform/http/lists/list.dto.js';
import { type AppType, appTypes } from '../../platform/principal/app-types.js';
import {
  AmazonAnswerDto,
  AppStoreAnswerDto,
  MacAppStoreAnswerDto,
  PaddleAnswerDto,
  PlayStoreAnswerDto,
  RokuAnswerDto,
  StripeAnswerDto,
  TestStoreAnswerDto,
  WebBillingAnswerDto,
} from './store-answer.dto.js';
import {
  CreateAmazonObjectDto,
  CreateAppleObjectDto,
  CreatePlayStoreObjectDto,
  CreateWebBillingObjectDto,
  PaddleObjectDto,
  RokuObjectDto,
  StripeObjectDto,
  TestStoreObjectDto,
  UpdateAmazonObjectDto,
  UpdateAppleObjectDto,
  UpdatePlayStoreObjectDto,
  UpdateWebBillingObjectDto,
} from './store-object.dto.js';
import { BodyExample } from '../../platform/http/bodies/body-example.js';

const NAME_MAX = 255;
const ownStore = { optional: true, description: 'Only for apps of the same type.' } as const;
const ownNullableStore = { ...ownStore, nullable: true } as const;

class CommonStoreObjectsDto {
  @ObjectField(() => StripeObjectDto, ownStore)
  stripe?: StripeObjectDto;

  @ObjectField(() => RokuObjectDto, ownNullableStore)
  roku?: RokuObjectDto | null;

  @ObjectField(() => PaddleObjectDto, ownNullableStore)
  paddle?: PaddleObjectDto | null;

  @ObjectField(() => TestStoreObjectDto, ownNullableStore)
  test_store?: TestStoreObjectDto | null;
}

@BodyExample({ name: 'My app', type: 'test_store' })
export class CreateAppDto extends CommonStoreObjectsDto {
  @StringField({ max: NAME_MAX, example: 'My app' })
  name: string;

  @EnumField(appTypes, { example: 'test_store', description: 'The store the app belongs to.' })
  type: AppType;

  @ObjectField(() => CreateAppleObjectDto, ownStore)
  app_store?: CreateAppleObjectDto;

  @ObjectField(() => CreateAppleObjectDto, ownStore)
  mac_app_store?: CreateAppleObjectDto;

  @ObjectField(() => CreatePlayStoreObjectDto, ownStore)
  play_store?: CreatePlayStoreObjectDto;

  @ObjectField(() => CreateAmazonObjectDto, ownStore)
  amazon?: CreateAmazonObjectDto;

  @ObjectField(() => CreateWebBillingObjectDto, ownNullableStore)
  rc_billing?: CreateWebBillingObjectDto | null;
}

@BodyExample({ name: 'My app' })
export class UpdateAppDto extends CommonStoreObjectsDto {
  @StringField({ max: NAME_MAX, optional: true })
  name?: string;

  @ObjectField(() => UpdateAppleObjectDto, ownStore)
  app_store?: UpdateAppleObjectDto;

  @ObjectField(() => UpdateAppleObjectDto, ownStore)
  mac_app_store?: UpdateAppleObjectDto;

  @ObjectField(() => UpdatePlayStoreObjectDto, ownStore)
  play_store?: UpdatePlayStoreObjectDto;

  @ObjectField(() => UpdateAmazonObjectDto, ownStore)
  amazon?: UpdateAmazonObjectDto;

  @ObjectField(() => UpdateWebBillingObjectDto, ownNullableStore)
  rc_billing?: UpdateWebBillingObjectDto | null;
}

export class StoreAnswerDto {
  @ApiProperty({ type: AppStoreAnswerDto, required: false })
  app_store?: AppStoreAnswerDto;

  @ApiProperty({ type: MacAppStoreAnswerDto, required: false })
  mac_app_store?: MacAppStoreAnswerDto;

  @ApiProperty({ type: PlayStoreAnswerDto, required: false })
  play_store?: PlayStoreAnswerDto;

  @ApiProperty({ type: AmazonAnswerDto, required: false })
  amazon?: AmazonAnswerDto;

  @ApiProperty({ type: StripeAnswerDto, required: false })
  stripe?: StripeAnswerDto;

  @ApiProperty({ type: WebBillingAnswerDto, required: false })
  rc_billing?: WebBillingAnswerDto;

  @ApiProperty({ type: RokuAnswerDto, required: false })
  roku?: RokuAnswerDto;

  @ApiProperty({ type: PaddleAnswerDto, required: false })
  paddle?: PaddleAnswerDto;

  @ApiProperty({ type: TestStoreAnswerDto, required: false })
  test_store?: TestStoreAnswerDto;
}

export class AppDto extends StoreAnswerDto {
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

export class DeletedAppDto extends deletedOf('app') {}

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
