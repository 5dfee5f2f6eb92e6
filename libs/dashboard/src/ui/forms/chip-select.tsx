import { cx } from '../cx.js';
import { Icon } from '../icons.js';
import { visibleText } from '../text/visible-text.js';
import type { Option } from './select-field.js';

/** Classes of a chip: a control of a toolbar that shows its choice. */
export const chipClass = (isSet: boolean, ...more: (string | undefined)[]) =>
  cx(
    'relative inline-flex h-8 max-w-72 shrink-0 items-center gap-1 rounded-full border px-2.5 whitespace-nowrap',
    'pointer-coarse:min-h-11',
    isSet
      ? 'border-accent bg-chosen'
      : 'border-line bg-panel enabled-hover:border-edge enabled-hover:bg-hover',
    ...more,
  );

interface ChipSelectProps {
  label: string;
  value: string;
  options: readonly Option[];
  /** Text of an empty first option. The chip then shows its label only. */
  placeholder?: string;
  /** Shows the label in front of the choice. */
  isNamed?: boolean;
  /** Marks a choice other than the default. */
  isSet?: boolean;
  className?: string;
  onChange: (value: string) => void;
}

/** A native select that looks like a chip with its choice. The select covers the chip and is transparent. */
export function ChipSelect({
  label,
  value,
  options,
  placeholder,
  isNamed = false,
  isSet = false,
  className,
  onChange,
}: ChipSelectProps) {
  const chosen = options.find((option) => option.value === value)?.label;
  return (
    <span
      className={chipClass(
        isSet,
        'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
        className,
      )}
    >
      <span aria-hidden="true" className="min-w-0 truncate">
        {isNamed && chosen !== undefined && <span className="text-muted">{label}: </span>}
        {visibleText(chosen ?? (isNamed ? label : (placeholder ?? value)))}
      </span>
      <Icon name="chevron-down" />
      <select
        aria-label={label}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        className="absolute inset-0 w-full cursor-pointer rounded-full opacity-0"
      >
        {placeholder !== undefined && <option value="">{placeholder}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {visibleText(option.label)}
          </option>
        ))}
      </select>
    </span>
  );
}
