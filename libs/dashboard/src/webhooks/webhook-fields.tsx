import { useQuery } from '@tanstack/react-query';
import { useMay } from '../api/permissions.js';
import { Checkbox } from '../ui/forms/choice.js';
import { SelectField } from '../ui/forms/select-field.js';
import { SecretField, TextField } from '../ui/forms/text-field.js';
import { TypeChoice } from './type-choice.js';
import type { WebhookForm } from './webhook-form.js';
import { appsQuery } from '../api/apps.queries.js';

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
  const mayApps = useMay('listApps').allowed;
  const apps = useQuery({ ...appsQuery(projectId), enabled: mayApps });
  return (
    <>
      <TextField
        label="Name"
        value={form.name}
        error={errorOf('name')}
        autoComplete="off"
        maxLength={1500}
        onChange={({ target }) => onChange({ name: target.value })}
      />
      <TextField
        label="Address"
        hint="Receives a POST for each event and answers 200. Redirects are not followed."
        value={form.url}
        error={errorOf('url')}
        inputMode="url"
        placeholder="https://"
        autoComplete="off"
        maxLength={5000}
        onChange={({ target }) => onChange({ url: target.value })}
      />
      <TypeChoice
        label="Events"
        allLabel="All types"
        allHint="New types included, except those that are only sent when chosen."
        value={form.types}
        onChange={(types) => onChange({ types })}
        error={errorOf('event_types')}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label="Environment"
          value={form.environment}
          error={errorOf('environment')}
          onChange={({ target }) => onChange({ environment: target.value as WebhookForm['environment'] })}
          options={[
            { value: '', label: 'Both' },
            { value: 'production', label: 'Production' },
            { value: 'sandbox', label: 'Sandbox' },
          ]}
        />
        <SelectField
          label="App"
          hint={
            form.appId === ''
              ? undefined
              : 'Events without an app, such as grants, only go to webhooks for all apps.'
          }
          value={form.appId}
          error={errorOf('app_id')}
          onChange={({ target }) => onChange({ appId: target.value })}
          options={[
            { value: '', label: 'All apps' },
            ...(apps.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
            ...(form.appId !== '' && !apps.data?.some(({ id }) => id === form.appId)
              ? [{ value: form.appId, label: form.appId }]
              : []),
          ]}
        />
      </div>
      <SecretField
        label="Authorization header"
        optional
        hint={
          isNew
            ? 'Sent with each request exactly as you type it. Not shown again.'
            : 'Leave empty to keep what is set. It is not shown.'
        }
        value={form.authorization}
        error={errorOf('authorization_header')}
        placeholder={isNew ? 'Bearer …' : undefined}
        disabled={form.noAuthorization}
        onChange={({ target }) => onChange({ authorization: target.value })}
      />
      {!isNew && (
        <Checkbox
          label="Send no Authorization header"
          checked={form.noAuthorization}
          onChange={({ target }) => onChange({ noAuthorization: target.checked })}
        />
      )}
      <Checkbox
        label="Send each customer’s events in order"
        hint="The next event waits until the one before it was delivered or has finally failed."
        checked={form.ordered}
        onChange={({ target }) => onChange({ ordered: target.checked })}
      />
      <Checkbox
        label="Include customer info"
        hint="Adds the state of the customer, as the SDK gets it, beside each event."
        checked={form.customerInfo}
        onChange={({ target }) => onChange({ customerInfo: target.checked })}
      />
    </>
  );
}
