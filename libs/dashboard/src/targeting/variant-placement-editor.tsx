import { Button, IconButton } from '../ui/button.js';
import { type Option, SelectField } from '../ui/forms/select-field.js';
import { TextField } from '../ui/forms/text-field.js';
import {
  type ExperimentParts,
  NO_OFFERING,
  noChoices,
  type VariantChoices,
  type VariantId,
  type VariantPlacementDraft,
} from './experiment-form.js';

const experimentsVariantLabels = { a: 'Control', b: 'Treatment', c: 'Treatment C', d: 'Treatment D' };

interface VariantPlacementEditorProps {
  placements: readonly VariantPlacementDraft[];
  fallbacks: VariantChoices;
  /** The variants with an offering. */
  variants: readonly VariantId[];
  offerings: readonly Option[];
  /** Returns the server's error about a parameter. */
  errorAt: (param: string) => string | null;
  onChange: (change: Partial<ExperimentParts>) => void;
}

/** Offerings of each variant in individual placements, and in all others. */
export function VariantPlacementEditor(props: VariantPlacementEditorProps) {
  const { placements, fallbacks, variants, offerings, errorAt, onChange } = props;
  const change = (index: number, draft: Partial<VariantPlacementDraft>) =>
    onChange({ placements: placements.map((one, place) => (place === index ? { ...one, ...draft } : one)) });
  const inPlacement = [{ value: NO_OFFERING, label: 'No offering' }, ...offerings];
  return (
    <fieldset className="grid min-w-0 gap-3">
      <legend className="font-medium">Placements</legend>
      <p className="text-sm text-muted">Other offerings in some places of the app, as the app calls them.</p>
      {placements.map(({ identifier, offerings: chosen }, index) => {
        const param = `placements.placement_offerings[${index}]`;
        return (
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
                value={identifier}
                error={errorAt(`${param}.placement_identifier`)}
                onChange={({ target }) => change(index, { identifier: target.value })}
              />
              <IconButton
                className="mt-6"
                icon="trash"
                label={`Remove placement ${index + 1}`}
                onClick={() => onChange({ placements: placements.filter((_, place) => place !== index) })}
              />
            </div>
            <VariantSelects
              variants={variants}
              placeholder="As all other placements"
              options={inPlacement}
              chosen={chosen}
              errorOf={(id) => errorAt(`${param}.offering_${id}_id`)}
              onChange={(choice) => change(index, { offerings: { ...chosen, ...choice } })}
            />
          </div>
        );
      })}
      {placements.length > 0 && (
        <div role="group" aria-label="All other placements" className="grid gap-2">
          <p className="text-sm font-medium">All other placements</p>
          <VariantSelects
            variants={variants}
            placeholder="The offering of the variant"
            options={offerings}
            chosen={fallbacks}
            errorOf={(id) => errorAt(`placements.fallback_offering_${id}_id`)}
            onChange={(choice) => onChange({ fallbacks: { ...fallbacks, ...choice } })}
          />
        </div>
      )}
      <div>
        <Button
          size="sm"
          icon="plus"
          onClick={() => onChange({ placements: [...placements, { identifier: '', offerings: noChoices }] })}
        >
          Add placement
        </Button>
      </div>
    </fieldset>
  );
}

interface VariantSelectsProps {
  variants: readonly VariantId[];
  placeholder: string;
  options: readonly Option[];
  chosen: VariantChoices;
  errorOf: (id: VariantId) => string | null;
  onChange: (choice: Partial<VariantChoices>) => void;
}

function VariantSelects({ variants, placeholder, options, chosen, errorOf, onChange }: VariantSelectsProps) {
  return (
    <div className="grid items-start gap-2 sm:grid-cols-2">
      {variants.map((id) => (
        <SelectField
          key={id}
          label={experimentsVariantLabels[id]}
          placeholder={placeholder}
          options={options}
          value={chosen[id]}
          error={errorOf(id)}
          onChange={({ target }) => onChange({ [id]: target.value })}
        />
      ))}
    </div>
  );
}
