import { SelectField } from '../ui/forms/select-field.js';
import { text } from './catalog.text.js';

interface StateFilterProps {
  state: 'archived' | undefined;
  onChange: (state: 'archived' | undefined) => void;
}

/** Filters by active or archived. */
export function StateFilter({ state, onChange }: StateFilterProps) {
  return (
    <SelectField
      label={text.state}
      size="sm"
      className="w-36"
      value={state ?? ''}
      onChange={({ target }) => onChange(target.value === 'archived' ? 'archived' : undefined)}
      options={[
        { value: '', label: text.active },
        { value: 'archived', label: text.archived },
      ]}
    />
  );
}
