import { useState } from 'react';
import { SecretSetting } from '../../frame/forms/secret-setting.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { SelectField } from '../../ui/forms/select-field.js';
import { NumberField, TextAreaField, TextField } from '../../ui/forms/text-field.js';
import type { DestinationFieldsProps } from './destination-fields.js';

/** Settings of an SFTP server without its host key. */
export function SftpFields({ form, stored, isMoved }: DestinationFieldsProps) {
  const { field } = form;
  const { way } = form.values.sftp;
  const isSet = stored?.sftp?.[way].set === true;
  return (
    <>
      <div className="grid items-start gap-4 sm:grid-cols-[minmax(0,1fr)_6rem]">
        <TextField
          label="Host"
          autoComplete="off"
          mono
          placeholder="sftp.example.com"
          {...field('sftp.host')}
        />
        <NumberField label="Port" integer {...field('sftp.port')} />
      </div>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField label="User" autoComplete="off" mono {...field('sftp.username')} />
        <SelectField
          label="Sign in with"
          {...field('sftp.way')}
          options={[
            { value: 'password', label: 'Password' },
            { value: 'private_key', label: 'Private key' },
          ]}
        />
      </div>
      {way === 'password' ? (
        <SecretSetting
          label="Password"
          optional={false}
          isSet={isSet}
          isMoved={isMoved}
          value={form.values.sftp.password}
          onChange={(next) => form.set('sftp.password', next ?? '')}
          error={form.errorAt('sftp.password')}
        />
      ) : (
        <PrivateKey key={String(isMoved)} form={form} isSet={isSet && !isMoved} />
      )}
      <TextField
        label="Folder on the server"
        hint="Leave empty for the folder that a session starts in."
        optional
        autoComplete="off"
        mono
        {...field('sftp.folder')}
      />
    </>
  );
}

/** The pinned key of the server. Placed above the button that shows it. */
export function HostKeyField({ form }: Pick<DestinationFieldsProps, 'form'>) {
  return (
    <TextField
      label="Host key"
      hint="Test the connection to see it. Each run compares it before anything is sent."
      autoComplete="off"
      mono
      placeholder="SHA256:…"
      {...form.field('sftp.host_key')}
    />
  );
}

/** A private key of several lines, and its passphrase. */
function PrivateKey({ form, isSet }: { form: DestinationFieldsProps['form']; isSet: boolean }) {
  const [isReplacing, setIsReplacing] = useState(false);
  if (isSet && !isReplacing)
    return (
      <div role="group" aria-label="Private key">
        <p className="mb-1 font-medium">Private key</p>
        <div className="flex flex-wrap items-center gap-2">
          <Badge tone="good">Set</Badge>
          <Button size="sm" aria-label="Replace: Private key" onClick={() => setIsReplacing(true)}>
            Replace
          </Button>
        </div>
      </div>
    );
  return (
    <>
      <TextAreaField
        label="Private key"
        hint="In OpenSSH or PEM format."
        mono
        rows={5}
        autoComplete="off"
        placeholder="-----BEGIN OPENSSH PRIVATE KEY-----"
        {...form.field('sftp.private_key')}
      />
      <SecretSetting
        label="Passphrase"
        optional
        isSet={false}
        isMoved={false}
        value={form.values.sftp.passphrase}
        onChange={(next) => form.set('sftp.passphrase', next ?? '')}
        error={form.errorAt('sftp.passphrase')}
      />
    </>
  );
}
