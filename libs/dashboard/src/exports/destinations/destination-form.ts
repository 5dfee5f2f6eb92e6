import type { ExportDestination } from '../exports.queries.js';
import type { Kind } from './destination-kinds.js';
import type { DestinationChanges, DestinationDraft, NewDestination } from './destinations.writes.js';

type AzureWay = 'connection_string' | 'account_key' | 'sas_token';
type SftpWay = 'password' | 'private_key';

/** Content of the form, as typed. A stored secret that is not replaced is empty. */
export interface DestinationForm {
  name: string;
  kind: Kind;
  prefix: string;
  s3: {
    bucket: string;
    region: string;
    endpoint: string;
    path_style: '' | 'path' | 'host';
    access_key_id: string;
    secret_access_key: string;
    server_side_encryption: 'none' | 'AES256' | 'aws:kms';
    kms_key_id: string;
  };
  gcs: { bucket: string; access_key_id: string; secret_access_key: string };
  azure: {
    way: AzureWay;
    container: string;
    connection_string: string;
    account_name: string;
    account_key: string;
    container_url: string;
    sas_token: string;
  };
  sftp: {
    way: SftpWay;
    host: string;
    port: string;
    username: string;
    folder: string;
    password: string;
    private_key: string;
    passphrase: string;
    host_key: string;
  };
}

export function formOf(stored: ExportDestination | null): DestinationForm {
  const { s3, gcs, azure, sftp } = stored ?? {};
  return {
    name: stored?.name ?? '',
    kind: stored?.kind ?? 's3',
    prefix: stored?.prefix ?? '',
    s3: {
      bucket: s3?.bucket ?? '',
      region: s3?.region ?? 'us-east-1',
      endpoint: s3?.endpoint ?? '',
      path_style: s3 === undefined ? '' : s3.path_style ? 'path' : 'host',
      access_key_id: s3?.access_key_id ?? '',
      secret_access_key: '',
      server_side_encryption: s3?.server_side_encryption ?? 'none',
      kms_key_id: s3?.kms_key_id ?? '',
    },
    gcs: {
      bucket: gcs?.bucket ?? '',
      access_key_id: gcs?.access_key_id ?? '',
      secret_access_key: '',
    },
    azure: {
      way: azure?.account_key.set ? 'account_key' : azure?.sas_token.set ? 'sas_token' : 'connection_string',
      container: azure?.container ?? '',
      connection_string: '',
      account_name: azure?.account_name ?? '',
      account_key: '',
      container_url: azure?.container_url ?? '',
      sas_token: '',
    },
    sftp: {
      way: sftp?.private_key.set ? 'private_key' : 'password',
      host: sftp?.host ?? '',
      port: String(sftp?.port ?? 22),
      username: sftp?.username ?? '',
      folder: sftp?.folder ?? '',
      password: '',
      private_key: '',
      passphrase: '',
      host_key: sftp?.host_key ?? '',
    },
  };
}

type Settings = Record<string, string | number | boolean | null>;

/** Settings that are not secret, as the server names them. */
function plainOf({ kind, s3, gcs, azure, sftp }: DestinationForm): Settings {
  switch (kind) {
    case 's3':
      return {
        bucket: s3.bucket.trim(),
        region: s3.region.trim(),
        endpoint: s3.endpoint.trim() || null,
        path_style: s3.path_style === '' ? null : s3.path_style === 'path',
        access_key_id: s3.access_key_id.trim(),
        server_side_encryption: s3.server_side_encryption,
        kms_key_id: s3.server_side_encryption === 'aws:kms' ? s3.kms_key_id.trim() || null : null,
      };
    case 'gcs':
      return { bucket: gcs.bucket.trim(), access_key_id: gcs.access_key_id.trim() };
    case 'azure':
      return {
        container: azure.way === 'sas_token' ? null : azure.container.trim(),
        account_name: azure.way === 'account_key' ? azure.account_name.trim() : null,
        container_url: azure.way === 'sas_token' ? azure.container_url.trim() : null,
      };
    case 'sftp':
      return {
        host: sftp.host.trim(),
        port: Number(sftp.port),
        username: sftp.username.trim(),
        folder: sftp.folder.trim(),
        host_key: sftp.host_key.trim(),
      };
    case 'local':
      return {};
  }
}

/** Secrets that were entered. */
function enteredOf({ kind, s3, gcs, azure, sftp }: DestinationForm): Settings {
  const filled = (secrets: Record<string, string>) =>
    Object.fromEntries(Object.entries(secrets).filter(([, value]) => value !== ''));
  switch (kind) {
    case 's3':
      return filled({ secret_access_key: s3.secret_access_key.trim() });
    case 'gcs':
      return filled({ secret_access_key: gcs.secret_access_key.trim() });
    case 'azure':
      return filled({ [azure.way]: azure[azure.way].trim() });
    case 'sftp':
      return sftp.way === 'password'
        ? filled({ password: sftp.password })
        : filled({ private_key: sftp.private_key, passphrase: sftp.passphrase });
    case 'local':
      return {};
  }
}

/** The secret by which the destination authenticates; null for a folder of the server. */
export function secretOf({ kind, azure, sftp }: DestinationForm): string | null {
  if (kind === 'local') return null;
  return kind === 'azure' ? azure.way : kind === 'sftp' ? sftp.way : 'secret_access_key';
}

/** Whether the secret was entered, so that unsaved settings can be tested. */
export function hasSecret(form: DestinationForm): boolean {
  const secret = secretOf(form);
  return secret === null || enteredOf(form)[secret] !== undefined;
}

/** Settings that decide where a secret is sent. A stored one never goes to another place. */
const binding: Record<Kind, readonly string[]> = {
  s3: ['bucket', 'endpoint', 'access_key_id'],
  gcs: ['bucket', 'access_key_id'],
  azure: ['container', 'account_name', 'container_url'],
  sftp: ['host', 'port', 'username'],
  local: [],
};

/** Whether the stored secret must be entered again. */
export function isMoved(form: DestinationForm, before: DestinationForm): boolean {
  const [now, then] = [plainOf(form), plainOf(before)];
  return secretOf(form) !== secretOf(before) || binding[form.kind].some((name) => now[name] !== then[name]);
}

/** Leaves out what is empty, for which the server has a default or an error. */
const withoutEmpty = (settings: Settings): Settings =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== '' && value !== null));

const ofKind = (kind: Kind, settings: Settings) => (kind === 'local' ? {} : { [kind]: settings });

export function draftOf(form: DestinationForm): DestinationDraft {
  const { kind, prefix } = form;
  const settings = withoutEmpty({ ...plainOf(form), ...enteredOf(form) });
  return { kind, prefix: prefix.trim(), ...ofKind(kind, settings) };
}

export const bodyOf = (form: DestinationForm): NewDestination => ({
  name: form.name.trim(),
  ...draftOf(form),
});

/** Returns the changed fields and settings, with the secrets that were entered. */
export function changes(form: DestinationForm, before: DestinationForm): DestinationChanges {
  const [now, then] = [plainOf(form), plainOf(before)];
  const changed = Object.fromEntries(Object.entries(now).filter(([name, value]) => value !== then[name]));
  const settings = { ...changed, ...enteredOf(form) };
  return {
    ...(form.name.trim() !== before.name && { name: form.name.trim() }),
    ...(form.prefix.trim() !== before.prefix && { prefix: form.prefix.trim() }),
    ...(Object.keys(settings).length > 0 && ofKind(form.kind, settings)),
  };
}
