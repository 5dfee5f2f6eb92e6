import { type EventType, eventTypeGroups, typeName } from '../../api/event-types.js';
import { Checkbox, RadioCards } from '../../ui/forms/choice.js';

interface TypeChoiceProps {
  /** The types that can be chosen; every type by default. */
  offered?: readonly EventType[];
  label: string;
  allLabel: string;
  allHint: string;
  /** Null selects all. */
  value: EventType[] | null;
  onChange: (types: EventType[] | null) => void;
  error?: string | null;
}

function groupsOf(offered: readonly EventType[] | undefined) {
  if (!offered) return eventTypeGroups;
  return eventTypeGroups
    .map(({ label, types }) => ({ label, types: types.filter(({ type }) => offered.includes(type)) }))
    .filter(({ types }) => types.length > 0);
}

/** Selects all event types, or some of them. */
export function TypeChoice({ offered, label, allLabel, allHint, value, onChange, error }: TypeChoiceProps) {
  const toggle = (type: EventType, on: boolean) =>
    onChange(on ? [...(value ?? []), type] : (value ?? []).filter((other) => other !== type));
  return (
    <div className="flex flex-col gap-3">
      <RadioCards
        label={label}
        columns={2}
        value={value === null ? 'all' : 'some'}
        onChange={(choice) => onChange(choice === 'all' ? null : [])}
        error={error}
        options={[
          { value: 'all', label: allLabel, hint: allHint },
          { value: 'some', label: 'Only these types', hint: 'Nothing else is sent.' },
        ]}
      />
      {value !== null &&
        groupsOf(offered).map((group) => (
          <fieldset key={group.label} className="flex flex-col gap-1.5 ps-1">
            <legend className="mb-1 text-sm font-medium text-muted">{group.label}</legend>
            {group.types.map(({ type, about }) => (
              <Checkbox
                key={type}
                label={<span className="font-mono text-sm">{typeName(type)}</span>}
                hint={about}
                checked={value.includes(type)}
                onChange={({ target }) => toggle(type, target.checked)}
              />
            ))}
          </fieldset>
        ))}
    </div>
  );
}
