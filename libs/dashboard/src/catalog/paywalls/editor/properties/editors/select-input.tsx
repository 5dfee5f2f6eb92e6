import { cx } from '../../../../../ui/cx.js';
import { Icon } from '../../../../../ui/icons.js';
import { visibleText } from '../../../../../ui/text/visible-text.js';
import { inputClass } from '../property-row.js';

interface SelectInputProps {
  id?: string;
  label?: string;
  options: readonly { value: string; label: string }[];
  value: string;
  onChange: (value: string) => void;
  disabled: boolean;
}

/** A small native select. */
export function SelectInput({ id, label, options, value, onChange, disabled }: SelectInputProps) {
  const isKnown = options.some((option) => option.value === value);
  return (
    <span className="relative block min-w-0">
      <select
        id={id}
        aria-label={label}
        disabled={disabled}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        className={cx(inputClass, 'appearance-none truncate pe-6')}
      >
        {!isKnown && <option value={value}>{visibleText(value)}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {visibleText(option.label)}
          </option>
        ))}
      </select>
      <span className="pointer-events-none absolute inset-y-0 end-1.5 flex items-center text-muted">
        <Icon name="chevron-down" className="size-3.5!" />
      </span>
    </span>
  );
}
