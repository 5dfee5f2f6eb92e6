import type { Form } from '../../frame/forms/use-form.js';
import { Checkbox, RadioCards } from '../../ui/forms/choice.js';
import { FieldError } from '../../ui/forms/field.js';
import { SelectField } from '../../ui/forms/select-field.js';
import { TextField } from '../../ui/forms/text-field.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { datasetHint, datasetLabel } from '../dataset-labels.js';
import type { Dataset } from '../datasets.queries.js';
import type { ExportDestination } from '../exports.queries.js';
import type { ExportForm } from './export-form.js';
import { ScheduleFields } from './schedule-fields.js';

interface ExportFieldsProps {
  form: Form<ExportForm>;
  datasets: readonly Dataset[];
  destinations: readonly ExportDestination[];
}

/** Fields for the data of an export, its destination and its schedule. */
export function ExportFields({ form, datasets, destinations }: ExportFieldsProps) {
  const { field, control, values } = form;
  return (
    <>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField label="Name" autoComplete="off" maxLength={60} {...field('name')} />
        <SelectField
          label="Destination"
          {...field('destination_id')}
          placeholder={values.destination_id === '' ? 'Choose a destination' : undefined}
          options={destinations.map(({ id, name }) => ({ value: id, label: name }))}
        />
      </div>
      <DatasetsField form={form} datasets={datasets} />
      <RadioCards
        label="Format"
        columns={2}
        {...control('format')}
        options={[
          { value: 'csv', label: 'CSV (gzip)' },
          { value: 'parquet', label: 'Parquet' },
        ]}
      />
      <RadioCards
        label="Rows"
        columns={2}
        {...control('mode')}
        options={[
          {
            value: 'incremental',
            label: 'New and changed rows only',
            hint: 'The first run delivers every row.',
          },
          { value: 'full', label: 'Every row, every time' },
        ]}
      />
      <ScheduleFields form={form} />
      <Checkbox
        label="Include sandbox data"
        hint={values.environment === 'sandbox' ? 'This export has only sandbox data.' : undefined}
        checked={values.environment !== 'production'}
        onChange={({ target }) => form.set('environment', target.checked ? 'all' : 'production')}
      />
    </>
  );
}

function DatasetsField({ form, datasets }: Pick<ExportFieldsProps, 'form' | 'datasets'>) {
  const { value, onChange, error } = form.control('datasets');
  // A run adds deletions where they are needed.
  const known = datasets.map(({ name }) => name as string).filter((name) => name !== 'deletions');
  const names = [...new Set([...known, ...value])];
  const toggle = (name: string, isOn: boolean) =>
    onChange(names.filter((other) => (other === name ? isOn : value.includes(other))));
  return (
    <fieldset aria-describedby={error ? 'datasets-error' : 'datasets-hint'} className="min-w-0">
      <legend className="mb-1 font-medium">What to send</legend>
      <div className="grid gap-x-4 gap-y-1.5 sm:grid-cols-2">
        {names.map((name) => (
          <Checkbox
            key={name}
            label={visibleText(datasetLabel(name))}
            hint={datasetHint(name)}
            checked={value.includes(name)}
            onChange={({ target }) => toggle(name, target.checked)}
          />
        ))}
      </div>
      {error && <FieldError id="datasets-error">{error}</FieldError>}
      <p id="datasets-hint" className="mt-1.5 text-sm text-muted">
        The transactions file has the vendor's version 5 columns, so tools built for it keep working.
      </p>
    </fieldset>
  );
}
