import { Button } from '../../../../../ui/button.js';
import { usePaywallDocument } from '../../paywall-editor-context.js';
import { PropertyRow } from '../property-row.js';
import { type EditorProps, RemoveButton } from './editor-props.js';

/** A component in a place of its own: the button opens its properties. */
export function LayerEditor({ field, path, value, disabled }: EditorProps) {
  const { select } = usePaywallDocument();
  if (value === undefined) return null;
  return (
    <PropertyRow label={field.title} end={<RemoveButton {...{ field, path, disabled }} />}>
      {(id) => (
        <Button id={id} size="sm" icon="layers" onClick={() => select(path)}>
          Open
        </Button>
      )}
    </PropertyRow>
  );
}
