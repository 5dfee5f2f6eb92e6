import { useQuery } from '@tanstack/react-query';
import { appsQuery } from '../../api/apps.queries.js';
import { useMay } from '../../api/permissions.js';
import { TypeChoice } from '../../frame/deliveries/type-choice.js';
import type { Form } from '../../frame/forms/use-form.js';
import { SelectField } from '../../ui/forms/select-field.js';
import { TextField } from '../../ui/forms/text-field.js';
import type { DestinationType } from '../destinations.queries.js';
import type { DestinationForm } from './destination-form.js';
import { EventNameFields } from './event-name-fields.js';
import { SettingsFields } from './settings-fields.js';
import { StartFields } from './start-fields.js';
import { sendsAttributes } from './what-is-sent.js';

interface DestinationFieldsProps {
  projectId: string;
  type: DestinationType;
  form: Form<DestinationForm>;
  isNew: boolean;
  secretsSet: readonly string[];
  /** Whether stored secrets must be entered again. */
  isMoved: boolean;
  disabled: boolean;
}

/** The form of a destination: the settings of its type, its events, revenue and start. */
export function DestinationFields(props: DestinationFieldsProps) {
  const { projectId, type, form, isNew, secretsSet, isMoved, disabled } = props;
  return (
    <>
      <TextField label="Name" autoComplete="off" maxLength={1500} {...form.field('name')} />
      <SettingsFields form={form} type={type} secretsSet={secretsSet} isMoved={isMoved} disabled={disabled} />
      {type.id === 'http' && (
        <TypeChoice
          label="Events"
          allLabel="All types"
          allHint="Includes future types. Opt-in types are not included."
          {...form.control('event_types')}
        />
      )}
      <EventNameFields form={form} type={type} />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <SelectField
          label="Revenue"
          {...form.field('revenue')}
          options={[
            { value: 'gross', label: 'Gross' },
            { value: 'after_commission', label: 'After store commission' },
            { value: 'after_commission_and_taxes', label: 'After commission and taxes' },
          ]}
        />
        <AppField projectId={projectId} form={form} />
        {sendsAttributes(type) && (
          <SelectField
            label="Customer attributes"
            {...form.field('attributes')}
            options={[
              { value: 'all', label: 'Send' },
              {
                value: 'none',
                label: 'Do not send',
                hint: 'Also leaves out email, phone number and IP address.',
              },
            ]}
          />
        )}
      </div>
      <StartFields form={form} isNew={isNew} />
    </>
  );
}

function AppField({ projectId, form }: { projectId: string; form: Form<DestinationForm> }) {
  const mayApps = useMay('listApps').allowed;
  const apps = useQuery({ ...appsQuery(projectId), enabled: mayApps });
  const { app_id: appId } = form.values;
  const isListed = appId === '' || apps.data?.some(({ id }) => id === appId);
  return (
    <SelectField
      label="App"
      hint={appId === '' ? undefined : 'Events without an app, such as grants, are not sent.'}
      {...form.field('app_id')}
      options={[
        { value: '', label: 'All apps' },
        ...(apps.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ...(isListed ? [] : [{ value: appId, label: appId }]),
      ]}
    />
  );
}
