import { ApiProperty } from '@nestjs/swagger';
import { BodyExample } from '../../platform/http/bodies/body-example.js';
import { deletedOf } from '../../platform/http/bodies/deleted.dto.js';
import {
  BooleanField,
  EnumField,
  IntField,
  ObjectField,
  StringField,
} from '../../platform/http/bodies/fields.js';
import { listOf } from '../../platform/http/lists/list.dto.js';
import { type DestinationKind, destinationKinds, encryptions } from './destination-settings.js';
import { isPrefix } from './prefix.policy.js';

const optional = true;
const nullable = true;
const isUrl = (text: string): boolean => URL.canParse(text);
const printable = { pattern: /^[\x21-\x7e]+$/, patternText: 'must be printable ASCII without spaces' };
const bucket = {
  max: 255,
  optional,
  pattern: /^[A-Za-z0-9][A-Za-z0-9._-]*$/,
  patternText: 'must be the name of a bucket',
  example: 'acme-exports',
};
const key = { max: 255, optional, ...printable };
const secret = { max: 2000, optional, ...printable };

export class S3SettingsDto {
  @StringField(bucket)
  bucket?: string;

  @StringField({
    max: 50,
    optional,
    pattern: /^[a-z0-9-]+$/,
    patternText: 'must be the name of a region',
    description: 'Default: us-east-1.',
    example: 'eu-central-1',
  })
  region?: string;

  @StringField({
    max: 500,
    optional,
    nullable,
    accepts: (text) =>
      isUrl(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).pathname === '/',
    patternText: 'must be an https URL without a path',
    description: 'For stores that speak the protocol of S3: R2, MinIO, B2, Spaces. Default: AWS.',
    example: 'https://minio.example.com',
  })
  endpoint?: string | null;

  @BooleanField({
    optional,
    nullable,
    description: 'Put the bucket into the path, not into the host name. Default: true with an endpoint.',
  })
  path_style?: boolean | null;

  @StringField({ ...key, example: 'AKIAIOSFODNN7EXAMPLE' })
  access_key_id?: string;

  @StringField(secret)
  secret_access_key?: string;

  @EnumField(encryptions, { optional, description: 'Default: none, as set in the bucket.' })
  server_side_encryption?: (typeof encryptions)[number];

  @StringField({ max: 500, optional, nullable, ...printable, description: 'With `aws:kms`.' })
  kms_key_id?: string | null;
}

export class GcsSettingsDto {
  @StringField(bucket)
  bucket?: string;

  @StringField({ ...key, description: 'Of an HMAC key.', example: 'GOOG1EXAMPLE' })
  access_key_id?: string;

  @StringField({ ...secret, description: 'Of an HMAC key.' })
  secret_access_key?: string;
}

export class AzureSettingsDto {
  @StringField({
    max: 63,
    optional,
    nullable,
    pattern: /^(?:\$root|\$web|[a-z0-9][a-z0-9-]*)$/,
    patternText: 'must be the name of a container',
    example: 'exports',
  })
  container?: string | null;

  @StringField({
    max: 4000,
    optional,
    description: 'Or `account_name` and `account_key`, or `container_url` and `sas_token`.',
  })
  connection_string?: string;

  @StringField({
    max: 24,
    optional,
    nullable,
    pattern: /^[a-z0-9]+$/,
    patternText: 'must be the name of a storage account',
  })
  account_name?: string | null;

  @StringField(secret)
  account_key?: string;

  @StringField({
    max: 500,
    optional,
    nullable,
    accepts: (text) => isUrl(text) && new URL(text).search === '' && new URL(text).hash === '',
    patternText: 'must be a URL without a query; the token belongs into sas_token',
    example: 'https://acme.blob.core.windows.net/exports',
  })
  container_url?: string | null;

  @StringField({
    ...secret,
    max: 4000,
    description: 'Of a shared access signature, without the question mark.',
  })
  sas_token?: string;
}

export class SftpSettingsDto {
  @StringField({
    max: 255,
    optional,
    pattern: /^[A-Za-z0-9._:-]+$/,
    patternText: 'must be a host name or an address',
    example: 'sftp.example.com',
  })
  host?: string;

  @IntField({ min: 1, max: 65535, optional, description: 'Default: 22.' })
  port?: number;

  @StringField({ max: 255, optional })
  username?: string;

  @StringField({ min: 0, max: 500, optional, description: 'Default: the folder in which a session starts.' })
  folder?: string;

  @StringField({ max: 2000, optional, description: 'Or `private_key`.' })
  password?: string;

  @StringField({ max: 20_000, optional, description: 'In the format of OpenSSH or PEM.' })
  private_key?: string;

  @StringField({ max: 2000, optional, description: 'Of the private key.' })
  passphrase?: string;

  @StringField({
    max: 100,
    optional,
    pattern: /^SHA256:[A-Za-z0-9+/]{43}=?$/,
    patternText: 'must be the fingerprint of a host key: SHA256:…',
    description:
      "Fingerprint of the server's key. Required to save; a test without it shows the key of the server.",
  })
  host_key?: string;
}

const name = { max: 60, example: 'Warehouse' };
export const prefixField = {
  min: 0,
  max: 200,
  accepts: isPrefix,
  patternText:
    'must be empty or names of folders such as a/b, without a slash at the start or the end, `.`, `..`, control characters or ten digits in a row',
  description: 'Folder in the bucket. Default: none.',
  example: 'acme/exports',
};
export const kindField = {
  description:
    '`s3` also for other stores with its protocol, `local` a folder of this server, without settings. Cannot be changed later.',
};

/** The object with the settings is named as the kind. */
export class SettingsByKind {
  @ObjectField(() => S3SettingsDto, { optional })
  s3?: S3SettingsDto;

  @ObjectField(() => GcsSettingsDto, { optional })
  gcs?: GcsSettingsDto;

  @ObjectField(() => AzureSettingsDto, { optional })
  azure?: AzureSettingsDto;

  @ObjectField(() => SftpSettingsDto, { optional })
  sftp?: SftpSettingsDto;
}

export const exampleSettings = {
  bucket: 'acme-exports',
  region: 'eu-central-1',
  access_key_id: 'AKIAIOSFODNN7EXAMPLE',
  secret_access_key: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};

@BodyExample({ name: 'Warehouse', kind: 's3', prefix: 'tenure', s3: exampleSettings })
export class CreateExportDestinationDto extends SettingsByKind {
  @StringField(name)
  name: string;

  @EnumField(destinationKinds, kindField)
  kind: DestinationKind;

  @StringField({ ...prefixField, optional })
  prefix?: string;
}

/** Absent fields and settings do not change. */
@BodyExample({ prefix: 'tenure/production' })
export class UpdateExportDestinationDto extends SettingsByKind {
  @StringField({ ...name, optional })
  name?: string;

  @StringField({ ...prefixField, optional })
  prefix?: string;
}

const time = 'Epoch milliseconds.';

export class StoredSecretDto {
  @ApiProperty({ type: Boolean })
  set: boolean;

  @ApiProperty({ type: 'integer', nullable, description: `When it was set. ${time}` })
  updated_at: number | null;
}

export class S3DestinationDto {
  @ApiProperty({ type: String })
  bucket: string;

  @ApiProperty({ type: String })
  region: string;

  @ApiProperty({ type: String, nullable, description: 'Null: AWS.' })
  endpoint: string | null;

  @ApiProperty({ type: Boolean })
  path_style: boolean;

  @ApiProperty({ type: String })
  access_key_id: string;

  @ApiProperty({ type: StoredSecretDto })
  secret_access_key: StoredSecretDto;

  @ApiProperty({ enum: encryptions })
  server_side_encryption: (typeof encryptions)[number];

  @ApiProperty({ type: String, nullable })
  kms_key_id: string | null;
}

export class GcsDestinationDto {
  @ApiProperty({ type: String })
  bucket: string;

  @ApiProperty({ type: String })
  access_key_id: string;

  @ApiProperty({ type: StoredSecretDto })
  secret_access_key: StoredSecretDto;
}

export class AzureDestinationDto {
  @ApiProperty({ type: String, nullable })
  container: string | null;

  @ApiProperty({ type: StoredSecretDto })
  connection_string: StoredSecretDto;

  @ApiProperty({ type: String, nullable })
  account_name: string | null;

  @ApiProperty({ type: StoredSecretDto })
  account_key: StoredSecretDto;

  @ApiProperty({ type: String, nullable })
  container_url: string | null;

  @ApiProperty({ type: StoredSecretDto })
  sas_token: StoredSecretDto;
}

export class SftpDestinationDto {
  @ApiProperty({ type: String })
  host: string;

  @ApiProperty({ type: 'integer' })
  port: number;

  @ApiProperty({ type: String })
  username: string;

  @ApiProperty({ type: String })
  folder: string;

  @ApiProperty({ type: StoredSecretDto })
  password: StoredSecretDto;

  @ApiProperty({ type: StoredSecretDto })
  private_key: StoredSecretDto;

  @ApiProperty({ type: StoredSecretDto })
  passphrase: StoredSecretDto;

  @ApiProperty({ type: String, example: 'SHA256:uNiVztksCsDhcc0u9e8BgrJXVGDJQ9sLC0ZFcVhLqTE' })
  host_key: string;
}

export class ExportDestinationDto {
  @ApiProperty({ enum: ['export_destination'] })
  object: 'export_destination';

  @ApiProperty({ type: String, example: 'exd_0mb3x1c9a5k2v7pq' })
  id: string;

  @ApiProperty({ type: String, example: name.example })
  name: string;

  @ApiProperty({ enum: destinationKinds })
  kind: DestinationKind;

  @ApiProperty({ type: String, description: 'Folder in the bucket; empty: none.' })
  prefix: string;

  @ApiProperty({ type: S3DestinationDto, required: false, description: 'Only of this kind, as the others.' })
  s3?: S3DestinationDto;

  @ApiProperty({ type: GcsDestinationDto, required: false })
  gcs?: GcsDestinationDto;

  @ApiProperty({ type: AzureDestinationDto, required: false })
  azure?: AzureDestinationDto;

  @ApiProperty({ type: SftpDestinationDto, required: false })
  sftp?: SftpDestinationDto;

  @ApiProperty({ type: 'integer', description: time })
  created_at: number;

  @ApiProperty({ type: 'integer', description: time })
  updated_at: number;
}

export class ExportDestinationListDto extends listOf(ExportDestinationDto) {}

export class DeletedExportDestinationDto extends deletedOf('export_destination') {}
