import { type ComponentPropsWithRef } from 'react';
import { cx } from '../cx.js';
import { controlClass, Field, type FieldProps } from './field.js';
import { Icon } from '../icons.js';
import { visibleText } from '../text/visible-text.js';

export interface Option {
  value: string;
  label: string;
  /** Describes the selected option below the control. */
  hint?: string;
  disabled?: boolean;
}

type SelectFieldProps = FieldProps &
  Omit<ComponentPropsWithRef<'select'>, 'id' | 'children' | 'size'> & {
    options: readonly Option[];
    /** Text of an empty first option. */
    placeholder?: string;
    size?: 'md' | 'sm';
  };

/** A native select, because keyboards, touch and screen readers support it best. */
export function SelectField({
  label,
  hint,
  error,
  optional,
  labelHidden,
  className,
  options,
  placeholder,
  size = 'md',
  ...control
}: SelectFieldProps) {
  const chosen = options.find(({ value }) => value === control.value);
  return (
    <Field {...{ label, error, optional, labelHidden, className }} hint={chosen?.hint ?? hint}>
      {(ids) => (
        <span className="relative block">
          <select
            {...control}
            {...ids}
            className={cx(controlClass, 'appearance-none pe-8', size === 'sm' ? 'h-7 text-sm' : 'h-8')}
          >
            {placeholder !== undefined && <option value="">{placeholder}</option>}
            {options.map((option) => (
              <option key={option.value} value={option.value} disabled={option.disabled}>
                {visibleText(option.label)}
              </option>
            ))}
          </select>
          <span className="pointer-events-none absolute inset-y-0 end-2 flex items-center text-muted">
            <Icon name="chevron-down" />
          </span>
        </span>
      )}
    </Field>
  );
}
