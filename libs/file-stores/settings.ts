/** Settings by kind, named as in the API. Null is the same as absent. */
export interface S3Settings {
  bucket: string;
  /** Default: us-east-1. */
  region?: string | null;
  /** Default: AWS. */
  endpoint?: string | null;
  /** Default: true with an endpoint. */
  path_style?: boolean | null;
  access_key_id: string;
  secret_access_key: string;
  server_side_encryption?: 'none' | 'AES256' | 'aws:kms' | null;
  kms_key_id?: string | null;
}

export interface GcsSettings {
  bucket: string;
  access_key_id: string;
  secret_access_key: string;
}

/** A connection string; or an account with its key; or the URL of a container with a SAS token. */
export interface AzureSettings {
  container?: string | null;
  connection_string?: string | null;
  account_name?: string | null;
  account_key?: string | null;
  container_url?: string | null;
  sas_token?: string | null;
}

export interface SftpSettings {
  host: string;
  /** Default: 22. */
  port?: number | null;
  username: string;
  /** Default: the folder in which the user's sessions start. */
  folder?: string | null;
  password?: string | null;
  private_key?: string | null;
  passphrase?: string | null;
  /** `SHA256:…`, as ssh-keygen prints it. */
  host_key?: string | null;
}

export type FileStoreSettings =
  | ({ kind: 's3' } & S3Settings)
  | ({ kind: 'gcs' } & GcsSettings)
  | ({ kind: 'azure' } & AzureSettings)
  | ({ kind: 'sftp' } & SftpSettings)
  | { kind: 'local' };

/** Returns every value of the settings that no text may contain. */
export function credentialsOf(settings: FileStoreSettings): string[] {
  switch (settings.kind) {
    case 's3':
    case 'gcs':
      return [settings.secret_access_key];
    case 'azure':
      return [settings.connection_string, settings.account_key, settings.sas_token].flatMap((secret) =>
        secret ? [secret, ...valuesOf(secret)] : [],
      );
    case 'sftp':
      return [settings.password, settings.passphrase, ...(settings.private_key?.split(/\r?\n/) ?? [])].filter(
        (secret) => typeof secret === 'string' && !secret.startsWith('-----'),
      ) as string[];
    case 'local':
      return [];
  }
}

const SECRET_VALUE = /(?:^|[;?&])\s*(?:AccountKey|sig)=([^;&]+)/gi;

/** Account keys and signatures inside a connection string or SAS token, as written and decoded. */
function valuesOf(text: string): string[] {
  return [...text.matchAll(SECRET_VALUE)].flatMap(([, value = '']) => [value, decoded(value)]);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
