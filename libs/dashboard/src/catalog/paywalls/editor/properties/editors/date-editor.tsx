import { cx } from '../../../../../ui/cx.js';
import { asText } from '../../document/json-path.js';
import { inputClass, PropertyRow } from '../property-row.js';
import { useChange } from '../use-change.js';
import type { EditorProps } from './editor-props.js';

/** A time in UTC, which the document stores to the second. */
export function DateEditor({ field, path, value, disabled }: EditorProps) {
  const change = useChange(path);
  return (
    <PropertyRow label={`${field.title} (UTC)`}>
      {(id) => (
        <input
          id={id}
          type="datetime-local"
          disabled={disabled}
          value={asText(value ?? '').slice(0, 16)}
          onChange={({ target }) => target.value !== '' && change(`${target.value.slice(0, 16)}:00Z`)}
          className={cx(inputClass)}
        />
      )}
    </PropertyRow>
  );
}
