import { Button, IconButton } from '../ui/button.js';
import { type Option, SelectField } from '../ui/forms/select-field.js';
import { TextField } from '../ui/forms/text-field.js';
import type { PlacementDraft } from './rule-form.js';

interface PlacementEditorProps {
  placements: readonly PlacementDraft[];
  fallbackId: string;
  offerings: readonly Option[];
  onChange: (change: { placements?: PlacementDraft[]; fallbackId?: string }) => void;
}

/** Offerings of individual placements, and of all others. */
export function PlacementEditor({ placements, fallbackId, offerings, onChange }: PlacementEditorProps) {
  const change = (index: number, draft: Partial<PlacementDraft>) =>
    onChange({ placements: placements.map((one, place) => (place === index ? { ...one, ...draft } : one)) });
  return (
    <fieldset className="grid min-w-0 gap-3">
      <legend className="font-medium">Placements</legend>
      <p className="text-sm text-muted">Another offering in some places of the app, as the app calls them.</p>
      {placements.map(({ identifier, offeringId }, index) => (
        <div key={index} className="grid items-start gap-2 sm:grid-cols-[1fr_1fr_auto]">
          <TextField
            label="Placement"
            mono
            autoComplete="off"
            value={identifier}
            onChange={({ target }) => change(index, { identifier: target.value })}
          />
          <SelectField
            label="Offering"
            value={offeringId}
            placeholder="No offering"
            options={offerings}
            onChange={({ target }) => change(index, { offeringId: target.value })}
          />
          <IconButton
            className="sm:mt-6"
            icon="trash"
            label={`Remove placement ${index + 1}`}
            onClick={() => onChange({ placements: placements.filter((_, place) => place !== index) })}
          />
        </div>
      ))}
      {placements.length > 0 && (
        <SelectField
          label="All other placements"
          value={fallbackId}
          placeholder="No offering"
          options={offerings}
          onChange={({ target }) => onChange({ fallbackId: target.value })}
        />
      )}
      <div>
        <Button
          size="sm"
          icon="plus"
          onClick={() => onChange({ placements: [...placements, { identifier: '', offeringId: '' }] })}
        >
          Add placement
        </Button>
      </div>
    </fieldset>
  );
}
