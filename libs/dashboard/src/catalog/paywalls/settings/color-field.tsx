import { controlClass, Field, type FieldProps } from '../../../ui/forms/field.js';
import { isHex } from './color-scheme.js';

interface ColorFieldProps extends FieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

/** A color as text, beside the browser's own choice of colors. */
export function ColorField({ value, onChange, ...field }: ColorFieldProps) {
  return (
    <Field {...field}>
      {(ids) => (
        <span className="flex items-center gap-2">
          <input
            type="color"
            aria-label={`Choose: ${field.label}`}
            // Without the two digits of the opacity, which this control does not know.
            value={isHex(value) ? value.slice(0, 7).toLowerCase() : '#000000'}
            onChange={({ target }) => onChange(target.value + value.slice(7))}
            className="h-8 w-10 shrink-0 rounded-md border border-edge bg-panel pointer-coarse:h-11"
          />
          <input
            {...ids}
            type="text"
            spellCheck={false}
            autoComplete="off"
            placeholder="#2050c0"
            value={value}
            onChange={({ target }) => onChange(target.value)}
            className={`${controlClass} h-8 font-mono`}
          />
        </span>
      )}
    </Field>
  );
}
