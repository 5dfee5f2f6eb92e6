/** Settings of destinations by kind: which a kind has, which are secret, and which decide where a secret is sent. */
export const destinationKinds = ['s3', 'gcs', 'azure', 'sftp', 'local'] as const;
export type DestinationKind = (typeof destinationKinds)[number];

export const encryptions = ['none', 'AES256', 'aws:kms'] as const;

export type Setting = string | number | boolean | null | undefined;
export type PlainSettings = Record<string, Setting>;
export type Secrets = Record<string, string>;

export interface KindOfDestination {
  /** Settings in the order in which they are shown. */
  plain: readonly string[];
  secrets: readonly string[];
  /** A stored secret never goes to another value of these. */
  binding: readonly string[];
  /**
   * Ways to authenticate, of which a destination has exactly one. The first name of each must be set; the others belong
   * to it, and those in `optional` may be absent.
   */
  credentials: readonly (readonly string[])[];
  optional: readonly string[];
  required: readonly string[];
  defaults: PlainSettings;
}

export const kindsOfDestinations: Record<DestinationKind, KindOfDestination> = {
  s3: {
    plain: [
      'bucket',
      'region',
      'endpoint',
      'path_style',
      'access_key_id',
      'server_side_encryption',
      'kms_key_id',
    ],
    secrets: ['secret_access_key'],
    binding: ['bucket', 'endpoint', 'access_key_id'],
    credentials: [['secret_access_key']],
    optional: [],
    required: ['bucket', 'access_key_id'],
    defaults: {
      region: 'us-east-1',
      endpoint: null,
      path_style: null,
      server_side_encryption: 'none',
      kms_key_id: null,
    },
  },
  gcs: {
    plain: ['bucket', 'access_key_id'],
    secrets: ['secret_access_key'],
    binding: ['bucket', 'access_key_id'],
    credentials: [['secret_access_key']],
    optional: [],
    required: ['bucket', 'access_key_id'],
    defaults: {},
  },
  azure: {
    plain: ['container', 'account_name', 'container_url'],
    secrets: ['connection_string', 'account_key', 'sas_token'],
    binding: ['container', 'account_name', 'container_url'],
    credentials: [['connection_string'], ['account_key', 'account_name'], ['sas_token', 'container_url']],
    optional: [],
    required: [],
    defaults: { container: null, account_name: null, container_url: null },
  },
  sftp: {
    plain: ['host', 'port', 'username', 'folder', 'host_key'],
    secrets: ['password', 'private_key', 'passphrase'],
    binding: ['host', 'port', 'username'],
    credentials: [['password'], ['private_key', 'passphrase']],
    optional: ['passphrase'],
    required: ['host', 'username', 'host_key'],
    defaults: { port: 22, folder: '' },
  },
  local: { plain: [], secrets: [], binding: [], credentials: [], optional: [], required: [], defaults: {} },
};
