import { type IconChoice, IconField } from '../../../media/icon-field.js';
import { isObject, valueAt } from '../../document/json-path.js';
import { usePaywallDocument } from '../../paywall-editor-context.js';
import { useChange } from '../use-change.js';
import type { EditorProps } from './editor-props.js';

/** One of the icons of the server, which sets three properties of the component. */
export function IconEditor({ field, path, disabled }: EditorProps) {
  const { document } = usePaywallDocument();
  const owner = path.slice(0, -1);
  const change = useChange(owner);
  const object = valueAt(document, owner);
  const icon = isObject(object) ? object : {};
  return (
    <IconField
      label={field.title}
      value={isObject(icon.formats) ? (icon as IconChoice) : undefined}
      onChange={(choice) => change({ ...icon, ...choice })}
      disabled={disabled}
    />
  );
}
