import { useParams } from '@tanstack/react-router';
import { useId } from 'react';
import { Button, IconButton } from '../../ui/button.js';
import { Checkbox } from '../../ui/forms/choice.js';
import { FieldError } from '../../ui/forms/field.js';
import { SelectField } from '../../ui/forms/select-field.js';
import { TextField } from '../../ui/forms/text-field.js';
import { ProductChoice } from '../products/product-choice.js';
import { useProductOptions } from '../products/product-options.js';
import { choices, contextLabels, fieldLabels, operatorLabels, valueHints } from './condition-labels.js';
import {
  type ConditionDraft,
  type Field,
  hasContext,
  isList,
  newDraft,
  operatorsOf,
  partsOf,
} from './conditions.js';

interface ConditionEditorProps<F extends Field> {
  legend: string;
  /** Explains which customers or requests match without conditions. */
  note: string;
  /** The fields to choose from. A new condition starts with the first. */
  fields: readonly F[];
  value: readonly ConditionDraft<F>[];
  onChange: (conditions: ConditionDraft<F>[]) => void;
  /** Error about the whole list. */
  error: string | null;
  apps: readonly { id: string; name: string }[];
  /** The server's error about a condition, by index. */
  errorAt: (index: number) => string | null;
}

/** A list of conditions, each with field, operator and value. */
export function ConditionEditor<F extends Field>(props: ConditionEditorProps<F>) {
  const { legend, note, fields, value: conditions, onChange, error, apps, errorAt } = props;
  const [first] = fields;
  const change = (index: number, draft: Partial<ConditionDraft<F>>) =>
    onChange(conditions.map((one, place) => (place === index ? { ...one, ...draft } : one)));
  return (
    <fieldset className="grid min-w-0 gap-3" aria-describedby={error ? 'conditions-error' : undefined}>
      <legend className="font-medium">{legend}</legend>
      <p className="text-sm text-muted">{note}</p>
      {error && <FieldError id="conditions-error">{error}</FieldError>}
      {conditions.map((condition, index) => (
        <ConditionRow
          key={index}
          place={index + 1}
          condition={condition}
          fields={fields}
          apps={apps}
          error={errorAt(index)}
          onChange={(draft) => change(index, draft)}
          onRemove={() => onChange(conditions.filter((_, place) => place !== index))}
        />
      ))}
      <div>
        <Button
          size="sm"
          icon="plus"
          onClick={() => first !== undefined && onChange([...conditions, newDraft(first)])}
        >
          Add condition
        </Button>
      </div>
    </fieldset>
  );
}

interface ConditionRowProps<F extends Field> {
  place: number;
  condition: ConditionDraft<F>;
  fields: readonly F[];
  apps: readonly { id: string; name: string }[];
  error: string | null;
  onChange: (draft: Partial<ConditionDraft<F>>) => void;
  onRemove: () => void;
}

function ConditionRow<F extends Field>(props: ConditionRowProps<F>) {
  const { place, condition, fields, apps, error, onChange, onRemove } = props;
  const { field, operator, value, context } = condition;
  const appOptions = apps.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <div
      role="group"
      aria-label={`Condition ${place}`}
      className="grid items-start gap-2 rounded-md border border-line p-3 sm:grid-cols-[1fr_1fr_2fr_auto]"
    >
      <SelectField
        label="Field"
        value={field}
        options={fields.map((name) => ({ value: name, label: fieldLabels[name] }))}
        onChange={({ target }) => onChange(newDraft(target.value as F))}
      />
      <SelectField
        label="Operator"
        value={operator}
        options={operatorsOf[field].map((name) => ({ value: name, label: operatorLabels[name] }))}
        onChange={({ target }) => onChange({ operator: target.value as ConditionDraft['operator'] })}
      />
      {choices[field] ? (
        <Choices
          labels={choices[field]}
          value={value}
          error={error}
          onChange={(chosen) => onChange({ value: chosen })}
        />
      ) : field === 'product' ? (
        <Products value={value} error={error} onChange={(chosen) => onChange({ value: chosen })} />
      ) : field === 'app_config' && apps.length <= 1 ? (
        <SelectField
          label="Value"
          value={value}
          placeholder="Choose an app"
          options={appOptions}
          error={error}
          onChange={({ target }) => onChange({ value: target.value })}
        />
      ) : (
        <TextField
          label={isList(field) ? 'Values, separated by commas' : 'Value'}
          hint={valueHints[field]}
          autoComplete="off"
          value={value}
          error={error}
          onChange={({ target }) => onChange({ value: target.value })}
        />
      )}
      <IconButton className="sm:mt-6" icon="trash" label={`Remove condition ${place}`} onClick={onRemove} />
      {hasContext(field) &&
        (field === 'app_version' ? (
          <SelectField
            label={contextLabels[field] ?? ''}
            className="sm:col-span-2"
            value={context}
            placeholder="Choose an app"
            options={appOptions}
            onChange={({ target }) => onChange({ context: target.value })}
          />
        ) : (
          <TextField
            label={contextLabels[field] ?? ''}
            className="sm:col-span-2"
            autoComplete="off"
            value={context}
            onChange={({ target }) => onChange({ context: target.value })}
          />
        ))}
    </div>
  );
}

/** Products of the project, as ids separated by commas. */
function Products({ value, error, onChange }: Omit<ChoicesProps, 'labels'>) {
  const { projectId = '' } = useParams({ strict: false });
  const { options, note } = useProductOptions(projectId);
  return (
    <ProductChoice
      options={options}
      note={note}
      value={partsOf(value)}
      error={error}
      autoFocus={false}
      onChange={(ids) => onChange(ids.join(', '))}
    />
  );
}

interface ChoicesProps {
  labels: Record<string, string>;
  /** Separated by commas. */
  value: string;
  error: string | null;
  onChange: (value: string) => void;
}

/** The values of a field that has a fixed set of them. */
function Choices({ labels, value, error, onChange }: ChoicesProps) {
  const id = useId();
  const chosen = partsOf(value);
  const toggle = (name: string, isOn: boolean) =>
    onChange(
      Object.keys(labels)
        .filter((one) => (one === name ? isOn : chosen.includes(one)))
        .join(', '),
    );
  return (
    <fieldset className="grid min-w-0 gap-1" aria-describedby={error ? id : undefined}>
      <legend className="mb-1 font-medium">Values</legend>
      {Object.entries(labels).map(([name, label]) => (
        <Checkbox
          key={name}
          label={label}
          checked={chosen.includes(name)}
          aria-invalid={error ? true : undefined}
          onChange={({ target }) => toggle(name, target.checked)}
        />
      ))}
      {error && <FieldError id={id}>{error}</FieldError>}
    </fieldset>
  );
}
