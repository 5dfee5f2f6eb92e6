import type { Form } from '../frame/forms/use-form.js';
import { Button, IconButton } from '../ui/button.js';
import { FieldError } from '../ui/forms/field.js';
import { type Option, SelectField } from '../ui/forms/select-field.js';
import { TextField } from '../ui/forms/text-field.js';
import type { RuleValues } from './rule-form.js';

interface PlacementEditorProps {
  form: Form<RuleValues>;
  offerings: readonly Option[];
}

const LIST = 'placements.placement_offerings';

/** Offerings of individual placements, and of all others. */
export function PlacementEditor({ form, offerings }: PlacementEditorProps) {
  const { value: placements, onChange, error: listError } = form.control(LIST);
  const error = listError ?? form.errorAt('placements');
  return (
    <fieldset className="grid min-w-0 gap-3" aria-describedby={error ? 'placements-error' : undefined}>
      <legend className="font-medium">Placements</legend>
      <p className="text-sm text-muted">Different offerings per placement.</p>
      {error && <FieldError id="placements-error">{error}</FieldError>}
      {placements.map((_, index) => (
        <div key={index} className="grid items-start gap-2 sm:grid-cols-[1fr_1fr_auto]">
          <TextField
            label="Placement"
            mono
            autoComplete="off"
            {...form.field(`${LIST}.${index}.placement_identifier`)}
          />
          <SelectField
            label="Offering"
            placeholder="No offering"
            options={offerings}
            {...form.field(`${LIST}.${index}.offering_id`)}
          />
          <IconButton
            className="sm:mt-6"
            icon="trash"
            label={`Remove placement ${index + 1}`}
            onClick={() => onChange(placements.filter((__, place) => place !== index))}
          />
        </div>
      ))}
      {placements.length > 0 && (
        <SelectField
          label="All other placements"
          placeholder="No offering"
          options={offerings}
          {...form.field('placements.fallback_offering_id')}
        />
      )}
      <div>
        <Button
          size="sm"
          icon="plus"
          onClick={() => onChange([...placements, { placement_identifier: '', offering_id: '' }])}
        >
          Add placement
        </Button>
      </div>
    </fieldset>
  );
}
