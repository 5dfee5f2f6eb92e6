import { useQuery } from '@tanstack/react-query';
import { useMay } from '../api/permissions.js';
import type { Form } from '../frame/forms/use-form.js';
import { Checkbox } from '../ui/forms/choice.js';
import { SelectField } from '../ui/forms/select-field.js';
import { SecretField, TextField } from '../ui/forms/text-field.js';
import { TypeChoice } from '../frame/deliveries/type-choice.js';
import type { WebhookForm } from './webhook-form.js';
import { appsQuery } from '../api/apps.queries.js';

interface WebhookFieldsProps {
  projectId: string;
  form: Form<WebhookForm>;
  isNew: boolean;
}

/** The settings of a webhook. */
export function WebhookFields({ projectId, form, isNew }: WebhookFieldsProps) {
  const { values, field, control, checkbox } = form;
  const mayApps = useMay('listApps').allowed;
  const apps = useQuery({ ...appsQuery(projectId), enabled: mayApps });
  return (
    <>
      <TextField label="Name" autoComplete="off" maxLength={1500} {...field('name')} />
      <TextField
        label="Address"
        hint="We send a POST for each event; your server must answer 200. Redirects are not followed."
        inputMode="url"
        placeholder="https://"
        autoComplete="off"
        maxLength={5000}
        {...field('url')}
      />
      <TypeChoice
        label="Events"
        allLabel="All types"
        allHint="Includes future types. Opt-in types are not included."
        {...control('event_types')}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label="Environment"
          {...field('environment')}
          options={[
            { value: '', label: 'Both' },
            { value: 'production', label: 'Production' },
            { value: 'sandbox', label: 'Sandbox' },
          ]}
        />
        <SelectField
          label="App"
          hint={
            values.app_id === ''
              ? undefined
              : 'Events without an app, such as grants, only go to webhooks for all apps.'
          }
          {...field('app_id')}
          options={[
            { value: '', label: 'All apps' },
            ...(apps.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
            ...(values.app_id !== '' && !apps.data?.some(({ id }) => id === values.app_id)
              ? [{ value: values.app_id, label: values.app_id }]
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
        placeholder={isNew ? 'Bearer …' : undefined}
        disabled={values.noAuthorization}
        {...field('authorization_header')}
      />
      {!isNew && <Checkbox label="Send no Authorization header" {...checkbox('noAuthorization')} />}
      <Checkbox
        label="Send each customer’s events in order"
        hint="The next event waits until the previous one is delivered or gives up."
        {...checkbox('ordered')}
      />
      <Checkbox
        label="Include customer info"
        hint="Adds the state of the customer, as the SDK receives it, to each event."
        {...checkbox('include_customer_info')}
      />
    </>
  );
}
