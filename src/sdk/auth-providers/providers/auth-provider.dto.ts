import { ApiProperty } from '@nestjs/swagger';
import { BodyExample } from '../../../platform/http/bodies/body-example.js';
import { deletedOf } from '../../../platform/http/bodies/deleted.dto.js';
import {
  BooleanField,
  EnumField,
  StringArrayField,
  StringField,
} from '../../../platform/http/bodies/fields.js';
import { listOf } from '../../../platform/http/lists/list.dto.js';
import { type ProviderKind, providerKinds } from './auth-provider.entity.js';

class AuthProviderFieldsDto {
  @StringField({
    max: 100,
    optional: true,
    description: 'Default: derived from the kind and the Firebase project or the host of the issuer.',
    example: 'Accounts of our shop',
  })
  name?: string;

  @StringField({
    max: 100,
    optional: true,
    nullable: true,
    pattern: /^[a-z0-9-]+$/,
    patternText: 'must only contain a to z, 0 to 9 and -',
    description: 'Required for firebase, and only for it.',
    example: 'shop-4711',
  })
  firebase_project_id?: string | null;

  @StringField({
    max: 500,
    optional: true,
    description:
      'Required for oidc: `iss` of the ID tokens, exactly, with its trailing slash if it has one. An https URL; self-hosted servers also accept http.',
    example: 'https://accounts.example.com',
  })
  issuer?: string;

  @StringArrayField({
    min: 1,
    max: 20,
    itemMax: 255,
    optional: true,
    description: 'Required for oidc: the values of `aud` that are accepted, such as client ids of your apps.',
    example: ['shop-ios', 'shop-android'],
  })
  audiences?: string[];

  @StringField({
    max: 500,
    optional: true,
    nullable: true,
    description: 'Only for oidc: where the keys are. Null: where the discovery document of the issuer says.',
  })
  jwks_url?: string | null;

  @StringField({
    max: 100,
    optional: true,
    description:
      'The claim that holds the app user id; dots lead into objects. Default `sub`. Customers who signed in before keep their id.',
    example: 'sub',
  })
  app_user_id_claim?: string;

  @StringField({
    min: 0,
    max: 50,
    optional: true,
    description: 'Prefix for the claim. Default: none.',
    example: 'shop-',
  })
  app_user_id_prefix?: string;

  @BooleanField({ optional: true, description: 'Default true.' })
  enabled?: boolean;
}

@BodyExample({
  kind: 'oidc',
  issuer: 'https://accounts.example.com',
  audiences: ['shop-ios', 'shop-android'],
  jwks_url: 'https://www.googleapis.com/oauth2/v3/certs',
})
export class CreateAuthProviderDto extends AuthProviderFieldsDto {
  @EnumField(providerKinds)
  kind: ProviderKind;
}

@BodyExample({ name: 'Accounts of our shop', enabled: true })
export class UpdateAuthProviderDto extends AuthProviderFieldsDto {}

export class AuthProviderDto {
  @ApiProperty({ enum: ['auth_provider'] })
  object: 'auth_provider';

  @ApiProperty({ type: String, example: 'idp_sx2k8v0a1b2c' })
  id: string;

  @ApiProperty({ enum: providerKinds })
  kind: ProviderKind;

  @ApiProperty({ type: String })
  name: string;

  @ApiProperty({ type: String })
  issuer: string;

  @ApiProperty({ type: [String] })
  audiences: string[];

  @ApiProperty({ type: String, nullable: true })
  firebase_project_id: string | null;

  @ApiProperty({ type: String, nullable: true })
  jwks_url: string | null;

  @ApiProperty({ enum: ['firebase', 'discovery', 'url'], description: 'How the keys are located.' })
  jwks_source: 'firebase' | 'discovery' | 'url';

  @ApiProperty({ type: String, example: 'sub' })
  app_user_id_claim: string;

  @ApiProperty({ type: String })
  app_user_id_prefix: string;

  @ApiProperty({ type: Boolean })
  enabled: boolean;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  created_at: number;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  updated_at: number;
}

export class AuthProviderListDto extends listOf(AuthProviderDto) {}

export class DeletedAuthProviderDto extends deletedOf('auth_provider') {}
