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
import { text } from './experiments.text.js';

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
  const inPlacement = [{ value: NO_OFFERING, label: text.noOffering }, ...offerings];
  return (
    <fieldset className="grid min-w-0 gap-3">
      <legend className="font-medium">{text.placements}</legend>
      <p className="text-sm text-muted">{text.placementsHint}</p>
      {placements.map(({ identifier, offerings: chosen }, index) => {
        const param = `placements.placement_offerings[${index}]`;
        return (
          <div
            key={index}
            role="group"
            aria-label={text.placementNamed(index + 1)}
            className="grid items-start gap-2 rounded-md border border-line p-3"
          >
            <div className="grid grid-cols-[1fr_auto] items-start gap-2">
              <TextField
                label={text.placement}
                mono
                autoComplete="off"
                value={identifier}
                error={errorAt(`${param}.placement_identifier`)}
                onChange={({ target }) => change(index, { identifier: target.value })}
              />
              <IconButton
                className="mt-6"
                icon="trash"
                label={text.removePlacement(index + 1)}
                onClick={() => onChange({ placements: placements.filter((_, place) => place !== index) })}
              />
            </div>
            <VariantSelects
              variants={variants}
              placeholder={text.asElsewhere}
              options={inPlacement}
              chosen={chosen}
              errorOf={(id) => errorAt(`${param}.offering_${id}_id`)}
              onChange={(choice) => change(index, { offerings: { ...chosen, ...choice } })}
            />
          </div>
        );
      })}
      {placements.length > 0 && (
        <div role="group" aria-label={text.elsewhere} className="grid gap-2">
          <p className="text-sm font-medium">{text.elsewhere}</p>
          <VariantSelects
            variants={variants}
            placeholder={text.ownOffering}
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
          {text.addPlacement}
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
          label={text.variantLabels[id]}
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
