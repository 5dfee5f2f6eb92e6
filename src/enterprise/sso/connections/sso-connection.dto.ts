import { ApiProperty } from '@nestjs/swagger';
import { BodyExample } from '../../../platform/http/bodies/body-example.js';
import { deletedOf } from '../../../platform/http/bodies/deleted.dto.js';
import {
  BooleanField,
  EnumField,
  ObjectField,
  StringArrayField,
  StringField,
} from '../../../platform/http/bodies/fields.js';
import { listOf } from '../../../platform/http/lists/list.dto.js';
import { type ConnectionKind, connectionKinds } from './sso-connection.entity.js';

/** Limit in characters. The limit in bytes is also 1 MB. */
const METADATA_MAX = 1_048_576;
const AUTOMATIC = 'Null: found by the usual names.';

export class SamlSettingsInputDto {
  @StringField({
    max: METADATA_MAX,
    optional: true,
    description:
      "The identity provider's metadata: fills `idp_entity_id`, `idp_sso_url` and `idp_certificates` unless they are sent too. Not stored.",
  })
  metadata_xml?: string;

  @StringField({ max: 1024, optional: true, example: 'http://www.okta.com/exk1fcia6d6EMsf331d8' })
  idp_entity_id?: string;

  @StringField({
    max: 2000,
    optional: true,
    description: 'URL where people sign in, by the HTTP-Redirect binding.',
    example: 'https://example.okta.com/app/tenure/exk1fcia6d6EMsf331d8/sso/saml',
  })
  idp_sso_url?: string;

  @StringArrayField({
    min: 1,
    max: 5,
    itemMax: 20_000,
    optional: true,
    description: 'Certificates that responses may be signed with: PEM, or the base64 within it.',
  })
  idp_certificates?: string[];

  @BooleanField({
    optional: true,
    description: 'Accept sign-ins that begin at the identity provider. Default false.',
  })
  allow_idp_initiated?: boolean;

  @StringField({ max: 255, optional: true, nullable: true, description: AUTOMATIC })
  email_attribute?: string | null;

  @StringField({ max: 255, optional: true, nullable: true, description: AUTOMATIC })
  first_name_attribute?: string | null;

  @StringField({ max: 255, optional: true, nullable: true, description: AUTOMATIC })
  last_name_attribute?: string | null;

  @StringField({ max: 255, optional: true, nullable: true, description: AUTOMATIC })
  groups_attribute?: string | null;
}

export class OidcSettingsInputDto {
  @StringField({
    max: 500,
    optional: true,
    description:
      'Exactly as in the discovery document, including a trailing slash. An https URL; self-hosted servers also accept http in private networks.',
    example: 'https://example.okta.com',
  })
  issuer?: string;

  @StringField({ max: 255, optional: true, example: '0oa1b2c3d4e5f6g7h8i9' })
  client_id?: string;

  @StringField({ max: 1000, optional: true, nullable: true, description: 'Never returned. Null removes it.' })
  client_secret?: string | null;

  @StringField({
    max: 500,
    optional: true,
    pattern: /^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/,
    patternText: 'must be scopes separated by single spaces',
    description: 'Default `openid email profile`; `openid` is always added.',
    example: 'openid email profile groups',
  })
  scopes?: string;

  @StringField({
    max: 255,
    optional: true,
    nullable: true,
    description:
      'Claim of the ID token or of userinfo that contains the groups: a list, a string, or an object whose keys are the groups. Null: groups are not read.',
    example: 'groups',
  })
  groups_claim?: string | null;

  @StringField({
    max: 255,
    optional: true,
    nullable: true,
    description:
      'Claim of the ID token or of userinfo that contains the email address. Null: `email`, unless the provider reports it as unverified. Name only a claim that no one but your administrators can change: anyone who can change it can sign in as any user in your domains.',
    example: 'preferred_username',
  })
  email_claim?: string | null;
}

class SsoConnectionFieldsDto {
  @BooleanField({ optional: true, description: 'Whether people can sign in with it. Default false.' })
  enabled?: boolean;

  @BooleanField({
    optional: true,
    description: 'Whether new people get an account and a membership when they first sign in. Default true.',
  })
  jit?: boolean;

  @ObjectField(() => SamlSettingsInputDto, { optional: true, description: 'For connections of kind saml.' })
  saml?: SamlSettingsInputDto;

  @ObjectField(() => OidcSettingsInputDto, { optional: true, description: 'For connections of kind oidc.' })
  oidc?: OidcSettingsInputDto;
}

@BodyExample({
  kind: 'oidc',
  name: 'Okta',
  oidc: { issuer: 'https://example.okta.com', client_id: '0oa1b2c3d4e5f6g7h8i9' },
})
export class CreateSsoConnectionDto extends SsoConnectionFieldsDto {
  @EnumField(connectionKinds, { description: 'Permanent.' })
  kind: ConnectionKind;

  @StringField({ max: 100, example: 'Okta' })
  name: string;
}

@BodyExample({ enabled: true })
export class UpdateSsoConnectionDto extends SsoConnectionFieldsDto {
  @StringField({ max: 100, optional: true, example: 'Okta' })
  name?: string;
}

export class SamlSettingsDto {
  @ApiProperty({ type: String, nullable: true })
  idp_entity_id: string | null;

  @ApiProperty({ type: String, nullable: true })
  idp_sso_url: string | null;

  @ApiProperty({ type: [String], description: 'PEM.' })
  idp_certificates: string[];

  @ApiProperty({
    type: [String],
    description: 'Problems of certificates that are used anyway, such as expiration.',
  })
  certificate_warnings: string[];

  @ApiProperty({ type: Boolean })
  allow_idp_initiated: boolean;

  @ApiProperty({ type: String, nullable: true })
  email_attribute: string | null;

  @ApiProperty({ type: String, nullable: true })
  first_name_attribute: string | null;

  @ApiProperty({ type: String, nullable: true })
  last_name_attribute: string | null;

  @ApiProperty({ type: String, nullable: true })
  groups_attribute: string | null;
}

export class OidcSettingsDto {
  @ApiProperty({ type: String, nullable: true })
  issuer: string | null;

  @ApiProperty({ type: String, nullable: true })
  client_id: string | null;

  @ApiProperty({ type: Boolean })
  has_client_secret: boolean;

  @ApiProperty({ type: String, example: 'openid email profile' })
  scopes: string;

  @ApiProperty({ type: String, nullable: true })
  groups_claim: string | null;

  @ApiProperty({ type: String, nullable: true })
  email_claim: string | null;
}

/** Settings to copy to the identity provider. */
export class ServiceProviderDto {
  @ApiProperty({ type: String, required: false, description: 'SAML.' })
  entity_id?: string;

  @ApiProperty({ type: String, required: false, description: 'SAML: the metadata of this server.' })
  metadata_url?: string;

  @ApiProperty({ type: String, required: false, description: 'SAML: assertion consumer service.' })
  acs_url?: string;

  @ApiProperty({ type: String, required: false, description: 'OpenID Connect.' })
  redirect_uri?: string;

  @ApiProperty({ type: String, description: 'URL that starts a sign-in with this connection.' })
  start_url: string;
}

export class SsoConnectionDto {
  @ApiProperty({ enum: ['sso_connection'] })
  object: 'sso_connection';

  @ApiProperty({ type: String, example: 'ssoc_sx2k8v0a1b2c' })
  id: string;

  @ApiProperty({ type: String })
  org_id: string;

  @ApiProperty({ enum: connectionKinds })
  kind: ConnectionKind;

  @ApiProperty({ type: String })
  name: string;

  @ApiProperty({ type: Boolean })
  enabled: boolean;

  @ApiProperty({ type: Boolean })
  jit: boolean;

  @ApiProperty({ type: () => SamlSettingsDto, required: false, description: 'For connections of kind saml.' })
  saml?: SamlSettingsDto;

  @ApiProperty({ type: () => OidcSettingsDto, required: false, description: 'For connections of kind oidc.' })
  oidc?: OidcSettingsDto;

  @ApiProperty({ type: () => ServiceProviderDto })
  sp: ServiceProviderDto;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  created_at: number;

  @ApiProperty({ type: 'integer', description: 'Epoch milliseconds.' })
  updated_at: number;
}

export class SsoConnectionListDto extends listOf(SsoConnectionDto) {}

export class DeletedSsoConnectionDto extends deletedOf('sso_connection') {}
