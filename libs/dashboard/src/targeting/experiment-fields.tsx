import { useId } from 'react';
import type { Form } from '../frame/forms/use-form.js';
import { Checkbox } from '../ui/forms/choice.js';
import { FieldError } from '../ui/forms/field.js';
import { type Option, SelectField } from '../ui/forms/select-field.js';
import { TextAreaField, TextField } from '../ui/forms/text-field.js';
import { chosenVariants, type ExperimentField, type ExperimentValues } from './experiment-form.js';
import { metricNames, modeLabels } from './labels.js';

const typeLabels = {
  introductory_offer: 'Introductory offer',
  free_trial_offer: 'Free trial',
  paywall_design: 'Design of the paywall',
  price_point: 'Price',
  subscription_duration: 'Duration of the subscription',
  subscription_ordering: 'Order of the subscriptions',
  other: 'Something else',
};

interface FieldsProps {
  form: Form<ExperimentValues>;
  /** The editable fields. */
  shown: readonly ExperimentField[];
}

/** The offerings of the variants, with an optional third and fourth. */
export function VariantFields({
  form,
  options,
}: Omit<FieldsProps, 'shown'> & { options: readonly Option[] }) {
  const { values, field } = form;
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <SelectField
        label="Control"
        placeholder="Choose an offering"
        options={options}
        {...field('offering_a_id')}
      />
      <SelectField
        label="Treatment"
        placeholder="Choose an offering"
        options={options}
        {...field('offering_b_id')}
      />
      <SelectField
        label="Treatment C"
        optional
        placeholder="None"
        options={options}
        {...field('offering_c_id')}
      />
      {(values.offering_c_id !== '' || values.offering_d_id !== '') && (
        <SelectField
          label="Treatment D"
          optional
          placeholder="None"
          options={options}
          {...field('offering_d_id')}
        />
      )}
    </div>
  );
}

/** The audience, and the shares of the variants. */
export function EnrollmentFields({ form, shown }: FieldsProps) {
  const { field, values } = form;
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      {shown.includes('enrollment_percentage') && (
        <TextField
          label="Share of the audience that joins"
          hint="Percent, 1 to 100."
          inputMode="numeric"
          autoComplete="off"
          {...field('enrollment_percentage')}
        />
      )}
      {shown.includes('enrollment_mode') && (
        <SelectField
          label="Who joins"
          options={(['only_new', 'new_and_existing'] as const).map((value) => ({
            value,
            label: modeLabels[value],
          }))}
          {...field('enrollment_mode')}
        />
      )}
      {shown.includes('weights') && (
        <TextField
          label="Share of each variant"
          hint={`Percent of the ${chosenVariants(values).length} variants, separated by commas. Empty: equal shares.`}
          optional
          autoComplete="off"
          {...field('weights')}
        />
      )}
      {shown.includes('experiment_type') && (
        <SelectField
          label="What is tested"
          optional
          placeholder="None"
          options={Object.entries(typeLabels).map(([value, label]) => ({ value, label }))}
          {...field('experiment_type')}
        />
      )}
    </div>
  );
}

/** The primary metric, and others to watch. */
export function MetricFields({ form }: Omit<FieldsProps, 'shown'>) {
  const { value: secondary, onChange, error } = form.control('secondary_metrics');
  const id = useId();
  return (
    <>
      <SelectField
        label="Primary metric"
        options={Object.entries(metricNames).map(([value, label]) => ({ value, label }))}
        {...form.field('primary_metric')}
      />
      <fieldset aria-describedby={error ? id : undefined} className="grid min-w-0 gap-1">
        <legend className="mb-1 font-medium">Secondary metrics</legend>
        <div className="grid sm:grid-cols-2">
          {Object.entries(metricNames).map(([name, label]) => (
            <Checkbox
              key={name}
              label={label}
              checked={secondary.includes(name)}
              onChange={({ target }) =>
                onChange(target.checked ? [...secondary, name] : secondary.filter((one) => one !== name))
              }
            />
          ))}
        </div>
        {error && <FieldError id={id}>{error}</FieldError>}
      </fieldset>
    </>
  );
}

export function NotesField({ form }: Omit<FieldsProps, 'shown'>) {
  return <TextAreaField label="Notes" hint="Markdown." optional {...form.field('notes')} />;
}
