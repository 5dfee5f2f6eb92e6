import type { Form } from '../frame/forms/use-form.js';
import { Button, IconButton } from '../ui/button.js';
import { FieldError } from '../ui/forms/field.js';
import { type Option, SelectField } from '../ui/forms/select-field.js';
import { TextField } from '../ui/forms/text-field.js';
import { chosenVariants, emptyPlacement, type ExperimentValues, NO_OFFERING } from './experiment-form.js';

const variantLabels = { a: 'Control', b: 'Treatment', c: 'Treatment C', d: 'Treatment D' };

interface VariantPlacementEditorProps {
  form: Form<ExperimentValues>;
  offerings: readonly Option[];
}

const LIST = 'placements.placement_offerings';

/** Offerings of each variant in individual placements, and in all others. */
export function VariantPlacementEditor({ form, offerings }: VariantPlacementEditorProps) {
  const { value: placements, onChange, error: listError } = form.control(LIST);
  const error = listError ?? form.errorAt('placements');
  const variants = chosenVariants(form.values);
  const inPlacement = [{ value: NO_OFFERING, label: 'No offering' }, ...offerings];
  return (
    <fieldset className="grid min-w-0 gap-3" aria-describedby={error ? 'placements-error' : undefined}>
      <legend className="font-medium">Placements</legend>
      <p className="text-sm text-muted">Different offerings per placement.</p>
      {error && <FieldError id="placements-error">{error}</FieldError>}
      {placements.map((_, index) => (
        <div
          key={index}
          role="group"
          aria-label={`Placement ${index + 1}`}
          className="grid items-start gap-2 rounded-md border border-line p-3"
        >
          <div className="grid grid-cols-[1fr_auto] items-start gap-2">
            <TextField
              label="Placement"
              mono
              autoComplete="off"
              {...form.field(`${LIST}.${index}.placement_identifier`)}
            />
            <IconButton
              className="mt-6"
              icon="trash"
              label={`Remove placement ${index + 1}`}
              onClick={() => onChange(placements.filter((__, place) => place !== index))}
            />
          </div>
          <div className="grid items-start gap-2 sm:grid-cols-2">
            {variants.map((id) => (
              <SelectField
                key={id}
                label={variantLabels[id]}
                placeholder="Same as all other placements"
                options={inPlacement}
                {...form.field(`${LIST}.${index}.offering_${id}_id`)}
              />
            ))}
          </div>
        </div>
      ))}
      {placements.length > 0 && (
        <div role="group" aria-label="All other placements" className="grid gap-2">
          <p className="text-sm font-medium">All other placements</p>
          <div className="grid items-start gap-2 sm:grid-cols-2">
            {variants.map((id) => (
              <SelectField
                key={id}
                label={variantLabels[id]}
                placeholder="The offering of the variant"
                options={offerings}
                {...form.field(`placements.fallback_offering_${id}_id`)}
              />
            ))}
          </div>
        </div>
      )}
      <div>
        <Button size="sm" icon="plus" onClick={() => onChange([...placements, emptyPlacement])}>
          Add placement
        </Button>
      </div>
    </fieldset>
  );
}
