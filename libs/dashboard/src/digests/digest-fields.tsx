import { useQuery } from '@tanstack/react-query';
import { useMay } from '../api/permissions.js';
import type { Form } from '../frame/forms/use-form.js';
import { Checkbox, RadioCards } from '../ui/forms/choice.js';
import { FieldError } from '../ui/forms/field.js';
import { SelectField } from '../ui/forms/select-field.js';
import { TextField } from '../ui/forms/text-field.js';
import { timeZoneOptions } from '../ui/forms/time-zone-options.js';
import { visibleText } from '../ui/text/visible-text.js';
import type { DigestForm } from './digest-form.js';
import { channelsQuery, membersQuery, type Place } from './digests.queries.js';
import { allFigures, figureLabels, hourLabel, weekdayName } from './labels.js';

const HOURS = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: hourLabel(hour) }));
const WEEKDAYS = Array.from({ length: 7 }, (_, index) => ({
  value: String(index + 1),
  label: weekdayName(index + 1),
}));

interface DigestFieldsProps {
  projectId: string;
  form: Form<DigestForm>;
}

/** The settings of a digest. */
export function DigestFields({ projectId, form }: DigestFieldsProps) {
  const { values, field, control, checkbox } = form;
  return (
    <>
      <TextField label="Name" autoComplete="off" maxLength={255} {...field('name')} />
      <RadioCards
        label="Send to"
        columns={2}
        {...control('place')}
        options={[
          { value: 'channel', label: 'A channel', hint: 'Of a Slack or Discord destination.' },
          { value: 'members', label: 'Members', hint: 'By mail.' },
        ]}
      />
      {values.place === 'channel' ? (
        <ChannelField projectId={projectId} form={form} />
      ) : (
        <MembersField projectId={projectId} form={form} />
      )}
      <RadioCards
        label="Period"
        columns={2}
        {...control('period')}
        options={[
          { value: 'daily', label: 'Daily', hint: 'Figures of yesterday, by UTC.' },
          { value: 'weekly', label: 'Weekly', hint: 'Figures of last week, by UTC.' },
        ]}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        {values.period === 'weekly' && <SelectField label="Day" {...field('weekday')} options={WEEKDAYS} />}
        <SelectField label="Hour" {...field('hour')} options={HOURS} />
        <SelectField label="Time zone" {...field('time_zone')} options={timeZoneOptions(values.time_zone)} />
        <SelectField
          label="Environment"
          {...field('environment')}
          options={[
            { value: 'production', label: 'Production' },
            { value: 'sandbox', label: 'Sandbox' },
          ]}
        />
      </div>
      <ChoiceList
        legend="Figures"
        options={allFigures.map((id) => ({ id, ...figureLabels[id] }))}
        {...control('figures')}
      />
      <Checkbox
        label="Send when there is nothing to report"
        hint="Otherwise a period whose figures are all 0 is skipped."
        {...checkbox('send_empty')}
      />
    </>
  );
}

/** The known places, and those that are chosen but gone. */
function withChosen(known: readonly Place[], chosen: readonly string[]): Place[] {
  const gone = chosen.filter((id) => id !== '' && !known.some((place) => place.id === id));
  return [...known, ...gone.map((id) => ({ id, label: id }))];
}

function ChannelField({ projectId, form }: DigestFieldsProps) {
  const channels = useQuery(channelsQuery(projectId));
  const { destination_id: chosen } = form.values;
  return (
    <SelectField
      label="Channel"
      placeholder={channels.data?.length === 0 ? 'No Slack or Discord destination yet' : 'Choose a channel'}
      hint="Events that it sends are not affected."
      {...form.field('destination_id')}
      options={withChosen(channels.data ?? [], [chosen]).map(({ id, label }) => ({ value: id, label }))}
    />
  );
}

function MembersField({ projectId, form }: DigestFieldsProps) {
  const may = useMay('listCollaborators');
  const members = useQuery({ ...membersQuery(projectId), enabled: may.allowed });
  return (
    <ChoiceList
      legend="Members"
      options={withChosen(members.data ?? [], form.values.emails)}
      {...form.control('emails')}
    />
  );
}

interface ChoiceListProps<Id extends string> {
  legend: string;
  options: readonly { id: Id; label: string; hint?: string }[];
  value: Id[];
  onChange: (value: Id[]) => void;
  error: string | null;
}

/** Any number of options. */
function ChoiceList<Id extends string>({ legend, options, value, onChange, error }: ChoiceListProps<Id>) {
  const toggle = (id: Id, isOn: boolean) =>
    onChange(isOn ? [...value, id] : value.filter((other) => other !== id));
  const errorId = `${legend}-error`;
  return (
    <fieldset aria-describedby={error ? errorId : undefined} className="min-w-0">
      <legend className="mb-1 font-medium">{legend}</legend>
      <div className="grid gap-1.5 sm:grid-cols-2">
        {options.map(({ id, label, hint }) => (
          <Checkbox
            key={id}
            label={visibleText(label)}
            hint={hint}
            checked={value.includes(id)}
            onChange={({ target }) => toggle(id, target.checked)}
          />
        ))}
      </div>
      {error && <FieldError id={errorId}>{error}</FieldError>}
    </fieldset>
  );
}
