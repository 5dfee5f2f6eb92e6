import type { ExportDestination } from '../exports.queries.js';
import { bodyOf, changes, draftOf, formOf, hasSecret, isMoved } from './destination-form.js';
import { placeOf } from './destination-kinds.js';
import { problemsOf } from './destination-problems.js';

const set = { set: true, updated_at: 1 };
const unset = { set: false, updated_at: null };
const base = { name: 'Partner', prefix: 'acme' };

const sftp = {
  ...base,
  kind: 'sftp',
  sftp: {
    host: 'sftp.example.com',
    port: 22,
    username: 'acme',
    folder: '/in/',
    host_key: 'SHA256:old',
    password: set,
    private_key: unset,
    passphrase: unset,
  },
} as ExportDestination;
const stored = formOf(sftp);

const empty = formOf(null);
const s3 = {
  ...empty,
  name: ' Lake ',
  s3: { ...empty.s3, bucket: 'lake ', access_key_id: 'AKID', secret_access_key: 'secret' },
};

const azure = (settings: object): ExportDestination =>
  ({
    ...base,
    kind: 'azure',
    azure: {
      container: null,
      account_name: null,
      container_url: null,
      connection_string: unset,
      account_key: unset,
      sas_token: unset,
      ...settings,
    },
  }) as ExportDestination;

const problemsIn = (...given: Parameters<typeof problemsOf>): string[] =>
  Object.entries(problemsOf(...given)).flatMap(([field, problem]) => (problem === null ? [] : [field]));

describe('the form of a destination', () => {
  it('sends only the settings of its kind that are filled in', () => {
    expect(bodyOf(s3)).toEqual({
      name: 'Lake',
      kind: 's3',
      prefix: '',
      s3: {
        bucket: 'lake',
        region: 'us-east-1',
        access_key_id: 'AKID',
        secret_access_key: 'secret',
        server_side_encryption: 'none',
      },
    });
    expect(bodyOf({ ...s3, kind: 'local' })).toEqual({ name: 'Lake', kind: 'local', prefix: '' });
  });

  it('sends the KMS key only for its encryption', () => {
    const chosen = { ...s3.s3, kms_key_id: 'key', path_style: 'host' as const };
    expect(draftOf({ ...s3, s3: chosen }).s3).not.toHaveProperty('kms_key_id');
    const encrypted = { ...chosen, server_side_encryption: 'aws:kms' as const };
    expect(draftOf({ ...s3, s3: encrypted }).s3).toMatchObject({ kms_key_id: 'key', path_style: false });
  });

  it('changes nothing that was not edited, and leaves out the stored secret', () => {
    expect(changes(stored, stored)).toEqual({});
    const trusted = { ...stored, name: 'Other', sftp: { ...stored.sftp, host_key: 'SHA256:new' } };
    expect(changes(trusted, stored)).toEqual({ name: 'Other', sftp: { host_key: 'SHA256:new' } });
    expect(hasSecret(trusted)).toBe(false);
  });

  it.each([
    [{ host: 'other.example.com' }, true],
    [{ port: '2222' }, true],
    [{ username: 'other' }, true],
    [{ way: 'private_key' as const }, true],
    [{ folder: 'elsewhere', host_key: 'SHA256:new' }, false],
  ])('needs the secret again after the change %j: %s', (change, isNeeded) => {
    expect(isMoved({ ...stored, sftp: { ...stored.sftp, ...change } }, stored)).toBe(isNeeded);
  });

  it('has the way to authenticate that is stored', () => {
    expect(formOf(azure({ account_key: set })).azure.way).toBe('account_key');
    expect(formOf(azure({ sas_token: set })).azure.way).toBe('sas_token');
    expect(formOf(azure({ connection_string: set })).azure.way).toBe('connection_string');
  });

  it('finds empty fields of the chosen kind only', () => {
    expect(problemsIn(empty, { needsSecret: true })).toEqual([
      'name',
      's3.bucket',
      's3.access_key_id',
      's3.secret_access_key',
    ]);
    const named = { ...empty, name: 'Lake' };
    expect(problemsIn({ ...named, kind: 'local' }, { needsSecret: true })).toEqual([]);
    expect(problemsIn({ ...named, kind: 'sftp' }, { needsSecret: true })).toEqual([
      'sftp.host',
      'sftp.username',
      'sftp.password',
      'sftp.host_key',
    ]);
    const { azure: settings } = empty;
    const withToken = { ...named, kind: 'azure' as const, azure: { ...settings, way: 'sas_token' as const } };
    expect(problemsIn(withToken, { needsSecret: true })).toEqual(['azure.container_url', 'azure.sas_token']);
  });

  it('needs no secret while the stored one is kept', () => {
    expect(problemsIn(stored, { needsSecret: false })).toEqual([]);
    expect(problemsIn(stored, { needsSecret: true })).toEqual(['sftp.password']);
    const wrongPort = { ...stored, sftp: { ...stored.sftp, port: '22a' } };
    expect(problemsIn(wrongPort, { needsSecret: false })).toEqual(['sftp.port']);
  });
});

describe('the place of a destination', () => {
  it.each([
    [{ ...base, kind: 's3', s3: { bucket: 'lake' } }, 's3://lake/acme'],
    [{ ...base, kind: 'gcs', gcs: { bucket: 'lake' }, prefix: '' }, 'gs://lake'],
    [azure({ container: 'exports' }), 'exports/acme'],
    [azure({ container_url: 'https://a.example.com/exports/' }), 'https://a.example.com/exports/acme'],
    [sftp, 'sftp://acme@sftp.example.com/in/acme'],
    [{ ...base, kind: 'local', prefix: '' }, '/'],
  ])('of %j is %s', (destination, place) => {
    expect(placeOf(destination as ExportDestination)).toBe(place);
  });
});
