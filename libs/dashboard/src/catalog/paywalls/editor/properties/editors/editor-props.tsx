import { IconButton } from '../../../../../ui/button.js';
import type { JsonValue, Path } from '../../../paywall.types.js';
import type { Field } from '../../schema/fields.js';
import { useChange } from '../use-change.js';

export interface EditorProps {
  field: Field;
  path: Path;
  value: JsonValue | undefined;
  disabled: boolean;
}

/** Removes an optional property. */
export function RemoveButton({ field, path, disabled }: Omit<EditorProps, 'value'>) {
  const change = useChange(path);
  if (field.isRequired || disabled) return null;
  return (
    <IconButton
      size="sm"
      icon="x"
      label={`Remove ${field.title.toLowerCase()}`}
      onClick={() => change(undefined)}
    />
  );
}
