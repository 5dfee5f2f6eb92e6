import type { Form } from '../../frame/forms/use-form.js';
import { SecretSetting } from '../../frame/forms/secret-setting.js';
import { RadioCards } from '../../ui/forms/choice.js';
import { TextField } from '../../ui/forms/text-field.js';
import type { ExportDestination } from '../exports.queries.js';
import { AzureFields } from './azure-fields.js';
import type { DestinationForm } from './destination-form.js';
import { type Kind, kindLabels, kinds } from './destination-kinds.js';
import { S3Fields } from './s3-fields.js';
import { HostKeyField, SftpFields } from './sftp-fields.js';

export interface DestinationFieldsProps {
  form: Form<DestinationForm>;
  /** Null for a new destination. */
  stored: ExportDestination | null;
  /** Whether the stored secret must be entered again. */
  isMoved: boolean;
}

const prefixLabels: Record<Kind, string> = {
  s3: 'Folder in the bucket',
  gcs: 'Folder in the bucket',
  azure: 'Folder in the container',
  sftp: 'Subfolder',
  local: 'Subfolder',
};

/** The kind of a destination, its settings and its secret. */
export function DestinationFields(props: DestinationFieldsProps) {
  const { form, stored } = props;
  const { kind } = form.values;
  return (
    <>
      {stored === null && (
        <RadioCards
          label="Where"
          columns={3}
          {...form.control('kind')}
          options={kinds.map((value) => ({ value, label: kindLabels[value] }))}
        />
      )}
      <TextField label="Name" autoComplete="off" maxLength={60} {...form.field('name')} />
      {kind === 's3' && <S3Fields {...props} />}
      {kind === 'gcs' && <GcsFields {...props} />}
      {kind === 'azure' && <AzureFields {...props} />}
      {kind === 'sftp' && <SftpFields {...props} />}
      {kind === 'local' && (
        <p className="text-muted">
          Files are stored on this server, in a folder of this project below SERVICE_EXPORT_DIR.
        </p>
      )}
      <TextField
        label={prefixLabels[kind]}
        optional
        autoComplete="off"
        mono
        maxLength={200}
        placeholder="acme/exports"
        {...form.field('prefix')}
      />
      {kind === 'sftp' && <HostKeyField form={form} />}
    </>
  );
}

function GcsFields({ form, stored, isMoved }: DestinationFieldsProps) {
  const { value, error } = form.control('gcs.secret_access_key');
  return (
    <>
      <TextField label="Bucket" autoComplete="off" mono {...form.field('gcs.bucket')} />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField
          label="HMAC key id"
          hint="Its service account must be allowed to create, read and delete objects."
          autoComplete="off"
          mono
          {...form.field('gcs.access_key_id')}
        />
        <SecretSetting
          label="HMAC secret"
          optional={false}
          isSet={stored?.gcs?.secret_access_key.set === true}
          isMoved={isMoved}
          value={value}
          onChange={(next) => form.set('gcs.secret_access_key', next ?? '')}
          error={error}
        />
      </div>
    </>
  );
}
