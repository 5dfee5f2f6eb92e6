import { SecretSetting } from '../../frame/forms/secret-setting.js';
import { Disclosure } from '../../ui/disclosure.js';
import { SelectField } from '../../ui/forms/select-field.js';
import { TextField } from '../../ui/forms/text-field.js';
import type { DestinationFieldsProps } from './destination-fields.js';

/** Settings of a bucket at Amazon S3 or a compatible store. */
export function S3Fields({ form, stored, isMoved }: DestinationFieldsProps) {
  const { field, errorAt, values } = form;
  const { value, error } = form.control('s3.secret_access_key');
  return (
    <>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField label="Bucket" autoComplete="off" mono {...field('s3.bucket')} />
        <TextField label="Region" autoComplete="off" mono {...field('s3.region')} />
      </div>
      <TextField
        label="Endpoint"
        hint="For R2, MinIO, B2, Spaces and other S3-compatible stores. Leave empty for Amazon S3."
        optional
        autoComplete="off"
        mono
        placeholder="https://minio.example.com"
        {...field('s3.endpoint')}
      />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField label="Access key id" autoComplete="off" mono {...field('s3.access_key_id')} />
        <SecretSetting
          label="Secret access key"
          optional={false}
          isSet={stored?.s3?.secret_access_key.set === true}
          isMoved={isMoved}
          value={value}
          onChange={(next) => form.set('s3.secret_access_key', next ?? '')}
          error={error}
        />
      </div>
      <Disclosure
        title="More settings"
        isForced={['s3.path_style', 's3.server_side_encryption', 's3.kms_key_id'].some(
          (path) => errorAt(path as 's3.kms_key_id') !== null,
        )}
      >
        <SelectField
          label="Bucket addressing"
          {...field('s3.path_style')}
          options={[
            ...(stored === null ? [{ value: '', label: 'Automatic' }] : []),
            { value: 'path', label: 'Path-style' },
            { value: 'host', label: 'Virtual-hosted-style' },
          ]}
        />
        <SelectField
          label="Server-side encryption"
          {...field('s3.server_side_encryption')}
          options={[
            { value: 'none', label: 'Bucket default' },
            { value: 'AES256', label: 'AES256' },
            { value: 'aws:kms', label: 'AWS KMS' },
          ]}
        />
        {values.s3.server_side_encryption === 'aws:kms' && (
          <TextField label="KMS key" optional autoComplete="off" mono {...field('s3.kms_key_id')} />
        )}
      </Disclosure>
    </>
  );
}
