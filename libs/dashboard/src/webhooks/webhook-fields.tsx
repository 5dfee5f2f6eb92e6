import { useQuery } from '@tanstack/react-query';
import { useMay } from '../api/permissions.js';
import { Checkbox } from '../ui/forms/choice.js';
import { SelectField } from '../ui/forms/select-field.js';
import { SecretField, TextField } from '../ui/forms/text-field.js';
import { TypeChoice } from './type-choice.js';
import type { WebhookForm } from './webhook-form.js';
import { appsQuery } from '../api/apps.queries.js';
import { text } from './webhooks.text.js';

interface WebhookFieldsProps {
  projectId: string;
  form: WebhookForm;
  onChange: (changes: Partial<WebhookForm>) => void;
  /** Returns the error of a field, by its name in the API. */
  errorOf: (param: string) => string | null;
  isNew: boolean;
}

/** The settings of a webhook. */
export function WebhookFields({ projectId, form, onChange, errorOf, isNew }: WebhookFieldsProps) {
  const { fields } = text;
  const mayApps = useMay('listApps').allowed;
  const apps = useQuery({ ...appsQuery(projectId), enabled: mayApps });
  return (
    <>
      <TextField
        label={fields.name}
        value={form.name}
        error={errorOf('name')}
        autoComplete="off"
        maxLength={1500}
        onChange={({ target }) => onChange({ name: target.value })}
      />
      <TextField
        label={fields.url}
        hint={fields.urlHint}
        value={form.url}
        error={errorOf('url')}
        inputMode="url"
        placeholder="https://"
        autoComplete="off"
        maxLength={5000}
        onChange={({ target }) => onChange({ url: target.value })}
      />
      <TypeChoice
        label={fields.types}
        allLabel={fields.typesAll}
        allHint={fields.typesAllHint}
        value={form.types}
        onChange={(types) => onChange({ types })}
        error={errorOf('event_types')}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label={fields.environment}
          value={form.environment}
          error={errorOf('environment')}
          onChange={({ target }) => onChange({ environment: target.value as WebhookForm['environment'] })}
          options={[
            { value: '', label: text.environments.both },
            { value: 'production', label: text.environments.production },
            { value: 'sandbox', label: text.environments.sandbox },
          ]}
        />
        <SelectField
          label={fields.app}
          hint={form.appId === '' ? undefined : fields.appHint}
          value={form.appId}
          error={errorOf('app_id')}
          onChange={({ target }) => onChange({ appId: target.value })}
          options={[
            { value: '', label: fields.allApps },
            ...(apps.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
            ...(form.appId !== '' && !apps.data?.some(({ id }) => id === form.appId)
              ? [{ value: form.appId, label: form.appId }]
              : []),
          ]}
        />
      </div>
      <SecretField
        label={fields.authorization}
        optional
        hint={isNew ? fields.authorizationHint : fields.authorizationKept}
        value={form.authorization}
        error={errorOf('authorization_header')}
        placeholder={isNew ? 'Bearer …' : undefined}
        disabled={form.noAuthorization}
        onChange={({ target }) => onChange({ authorization: target.value })}
      />
      {!isNew && (
        <Checkbox
          label={fields.noAuthorization}
          checked={form.noAuthorization}
          onChange={({ target }) => onChange({ noAuthorization: target.checked })}
        />
      )}
      <Checkbox
        label={fields.ordered}
        hint={fields.orderedHint}
        checked={form.ordered}
        onChange={({ target }) => onChange({ ordered: target.checked })}
      />
      <Checkbox
        label={fields.customerInfo}
        hint={fields.customerInfoHint}
        checked={form.customerInfo}
        onChange={({ target }) => onChange({ customerInfo: target.checked })}
      />
    </>
  );
}
