import { Button, IconButton } from '../ui/button.js';
import { FieldError } from '../ui/forms/field.js';
import { SelectField } from '../ui/forms/select-field.js';
import { TextField } from '../ui/forms/text-field.js';
import { type ConditionDraft, type Field, hasContext, isList, newDraft, operatorsOf } from './conditions.js';
import { fieldLabels, operatorLabels } from './labels.js';

const targetingValueHint = {
  country: 'Two letters: US, DE',
  platform: 'ios, android, web …',
  rollout: 'Percent, 1 to 99',
} as Partial<Record<Field, string>>;

const contextLabels = { app_version: 'App', sdk_version: 'SDK', custom_attribute: 'Attribute' } as Partial<
  Record<Field, string>
>;

interface ConditionEditorProps {
  value: readonly ConditionDraft[];
  onChange: (conditions: ConditionDraft[]) => void;
  /** Error about the whole list. */
  error: string | null;
  apps: readonly { id: string; name: string }[];
  /** The server's error about a condition, by index. */
  errorAt: (index: number) => string | null;
  /** Fields that are not available here. */
  without?: readonly Field[];
}

/** A list of conditions, each with field, operator and value. */
export function ConditionEditor(props: ConditionEditorProps) {
  const { value: conditions, onChange, error, apps, errorAt, without = [] } = props;
  const fields = (Object.keys(fieldLabels) as Field[]).filter((field) => !without.includes(field));
  const change = (index: number, draft: Partial<ConditionDraft>) =>
    onChange(conditions.map((one, place) => (place === index ? { ...one, ...draft } : one)));
  return (
    <fieldset className="grid min-w-0 gap-3" aria-describedby={error ? 'conditions-error' : undefined}>
      <legend className="font-medium">Audience</legend>
      <p className="text-sm text-muted">All conditions must hold. Without any, the rule is for everyone.</p>
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
        <Button size="sm" icon="plus" onClick={() => onChange([...conditions, newDraft('country')])}>
          Add condition
        </Button>
      </div>
    </fieldset>
  );
}

interface ConditionRowProps {
  place: number;
  condition: ConditionDraft;
  fields: readonly Field[];
  apps: readonly { id: string; name: string }[];
  error: string | null;
  onChange: (draft: Partial<ConditionDraft>) => void;
  onRemove: () => void;
}

function ConditionRow({ place, condition, fields, apps, error, onChange, onRemove }: ConditionRowProps) {
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
        onChange={({ target }) => onChange(newDraft(target.value as Field))}
      />
      <SelectField
        label="Operator"
        value={operator}
        options={operatorsOf[field].map((name) => ({ value: name, label: operatorLabels[name] }))}
        onChange={({ target }) => onChange({ operator: target.value as ConditionDraft['operator'] })}
      />
      {field === 'app_config' && apps.length <= 1 ? (
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
          hint={targetingValueHint[field]}
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
