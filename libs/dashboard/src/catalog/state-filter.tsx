import { SelectField } from '../ui/forms/select-field.js';

interface StateFilterProps {
  state: 'archived' | undefined;
  onChange: (state: 'archived' | undefined) => void;
}

/** Filters by active or archived. */
export function StateFilter({ state, onChange }: StateFilterProps) {
  return (
    <SelectField
      label="Show"
      size="sm"
      className="w-36"
      value={state ?? ''}
      onChange={({ target }) => onChange(target.value === 'archived' ? 'archived' : undefined)}
      options={[
        { value: '', label: 'Active' },
        { value: 'archived', label: 'Archived' },
      ]}
    />
  );
}
