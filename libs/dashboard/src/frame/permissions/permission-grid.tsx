import { Button } from '../../ui/button.js';
import { FieldError } from '../../ui/forms/field.js';
import { SelectField } from '../../ui/forms/select-field.js';
import { everywhere, type Level, type PermissionArea } from './permission-levels.js';

const levelLabels = { none: 'No access', read: 'Read', read_write: 'Read and write' };

interface PermissionGridProps {
  areas: readonly PermissionArea[];
  value: Readonly<Record<string, Level>>;
  onChange: (value: Record<string, Level>) => void;
  error: string | null;
}

/** One select per area, by group. */
export function PermissionGrid({ areas, value, onChange, error }: PermissionGridProps) {
  const groups = [...new Set(areas.map(({ group }) => group))];
  return (
    <fieldset className="grid min-w-0 gap-3" aria-describedby={error ? 'permissions-error' : undefined}>
      <legend className="mb-2 font-medium">Permissions</legend>
      <div className="flex flex-wrap gap-2">
        <Button size="sm" onClick={() => onChange(everywhere(areas, 'read_write'))}>
          Everything
        </Button>
        <Button size="sm" onClick={() => onChange(everywhere(areas, 'read'))}>
          Read only
        </Button>
        <Button size="sm" onClick={() => onChange(everywhere(areas, 'none'))}>
          Nothing
        </Button>
      </div>
      {error && <FieldError id="permissions-error">{error}</FieldError>}
      {groups.map((group) => (
        <section key={group} aria-label={group} className="grid gap-1.5">
          <h3 className="text-sm font-semibold text-muted">{group}</h3>
          {areas
            .filter((area) => area.group === group)
            .map(({ name, label, levels }) => (
              <div key={name} className="grid grid-cols-[minmax(0,1fr)_10rem] items-center gap-3">
                <span aria-hidden="true">{label}</span>
                <SelectField
                  label={label}
                  labelHidden
                  size="sm"
                  value={value[name] ?? 'none'}
                  onChange={({ target }) => onChange({ ...value, [name]: target.value as Level })}
                  options={levels.map((level) => ({ value: level, label: levelLabels[level] }))}
                />
              </div>
            ))}
        </section>
      ))}
    </fieldset>
  );
}
