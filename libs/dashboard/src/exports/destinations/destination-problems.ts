import type { DestinationForm } from './destination-form.js';

const isEmpty = (text: string): boolean => text.trim() === '';
const ifEmpty = (text: string, message: string): string | null => (isEmpty(text) ? message : null);

/** Validates before anything is sent. `needsSecret` is false while a stored secret is kept. */
export function problemsOf(form: DestinationForm, { needsSecret }: { needsSecret: boolean }) {
  return {
    name: ifEmpty(form.name, 'Enter a name.'),
    ...settingsProblemsOf(form, { needsSecret }),
    'sftp.host_key':
      form.kind === 'sftp'
        ? ifEmpty(form.sftp.host_key, 'Test the connection to see the host key, then trust it.')
        : null,
  };
}

function settingsProblemsOf(form: DestinationForm, { needsSecret }: { needsSecret: boolean }) {
  const { kind, s3, gcs, azure, sftp } = form;
  const secret = (text: string, message: string) => (needsSecret ? ifEmpty(text, message) : null);
  if (kind === 's3')
    return {
      's3.bucket': ifEmpty(s3.bucket, 'Enter the bucket.'),
      's3.access_key_id': ifEmpty(s3.access_key_id, 'Enter the access key id.'),
      's3.secret_access_key': secret(s3.secret_access_key, 'Enter the secret access key.'),
    };
  if (kind === 'gcs')
    return {
      'gcs.bucket': ifEmpty(gcs.bucket, 'Enter the bucket.'),
      'gcs.access_key_id': ifEmpty(gcs.access_key_id, 'Enter the HMAC key id.'),
      'gcs.secret_access_key': secret(gcs.secret_access_key, 'Enter the HMAC secret.'),
    };
  if (kind === 'azure')
    return {
      'azure.container': azure.way === 'sas_token' ? null : ifEmpty(azure.container, 'Enter the container.'),
      'azure.account_name':
        azure.way === 'account_key' ? ifEmpty(azure.account_name, 'Enter the storage account.') : null,
      'azure.container_url':
        azure.way === 'sas_token' ? ifEmpty(azure.container_url, 'Enter the container URL.') : null,
      [`azure.${azure.way}`]: secret(azure[azure.way], 'Enter the secret.'),
    };
  if (kind === 'sftp')
    return {
      'sftp.host': ifEmpty(sftp.host, 'Enter the host.'),
      'sftp.port': /^\d{1,5}$/.test(sftp.port.trim()) ? null : 'Enter a number.',
      'sftp.username': ifEmpty(sftp.username, 'Enter the user.'),
      [`sftp.${sftp.way}`]: secret(sftp[sftp.way], 'Enter the secret.'),
    };
  return {};
}
