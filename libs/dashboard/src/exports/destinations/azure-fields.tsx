import { SecretSetting } from '../../frame/forms/secret-setting.js';
import { SelectField } from '../../ui/forms/select-field.js';
import { TextField } from '../../ui/forms/text-field.js';
import type { DestinationFieldsProps } from './destination-fields.js';

const secretLabels = {
  connection_string: 'Connection string',
  account_key: 'Account key',
  sas_token: 'SAS token',
};

/** Settings of a container at Azure, with one of three ways to authenticate. */
export function AzureFields({ form, stored, isMoved }: DestinationFieldsProps) {
  const { field } = form;
  const { way } = form.values.azure;
  const { value, error } = form.control(`azure.${way}`);
  return (
    <>
      <SelectField
        label="Sign in with"
        {...field('azure.way')}
        options={[
          { value: 'connection_string', label: 'Connection string' },
          { value: 'account_key', label: 'Storage account and key' },
          { value: 'sas_token', label: 'Container URL and SAS token' },
        ]}
      />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        {way === 'sas_token' ? (
          <TextField
            label="Container URL"
            autoComplete="off"
            mono
            placeholder="https://acme.blob.core.windows.net/exports"
            className="sm:col-span-2"
            {...field('azure.container_url')}
          />
        ) : (
          <TextField
            label="Container"
            autoComplete="off"
            mono
            className={way === 'account_key' ? undefined : 'sm:col-span-2'}
            {...field('azure.container')}
          />
        )}
        {way === 'account_key' && (
          <TextField label="Storage account" autoComplete="off" mono {...field('azure.account_name')} />
        )}
      </div>
      <SecretSetting
        key={way}
        label={secretLabels[way]}
        optional={false}
        isSet={stored?.azure?.[way].set === true}
        isMoved={isMoved}
        value={value}
        onChange={(next) => form.set(`azure.${way}`, next ?? '')}
        error={error}
      />
    </>
  );
}
