import { useDesign } from '../../design-context.js';
import { asText, isObject, valueAt } from '../../document/json-path.js';
import { usePaywallDocument } from '../../paywall-editor-context.js';
import { layersTo } from '../../schema/layers.js';
import { PropertyRow } from '../property-row.js';
import { useChange } from '../use-change.js';
import type { EditorProps } from './editor-props.js';
import { SelectInput } from './select-input.js';

const NONE = '';

interface ReferenceProps extends EditorProps {
  options: { value: string; label: string }[];
  none: string;
  onChange: (value: string | undefined) => void;
}

function Reference({ field, value, disabled, options, none, onChange }: ReferenceProps) {
  return (
    <PropertyRow label={field.title}>
      {(id) => (
        <SelectInput
          id={id}
          options={field.isRequired ? options : [{ value: NONE, label: none }, ...options]}
          value={typeof value === 'string' ? value : NONE}
          onChange={(chosen) => onChange(chosen === NONE ? undefined : chosen)}
          disabled={disabled}
        />
      )}
    </PropertyRow>
  );
}

/** Fonts that every platform has. */
const builtIn = ['sans-serif', 'serif', 'monospace'];

/** A font of the project or of the platform. */
export function FontEditor(props: EditorProps) {
  const { settings } = useDesign();
  const change = useChange(props.path);
  const names = [...new Set([...Object.keys(settings.fonts), ...builtIn])];
  return (
    <Reference
      {...props}
      none="Default"
      options={names.map((name) => ({ value: name, label: name }))}
      onChange={change}
    />
  );
}

/** A package of the offering. */
export function PackageEditor(props: EditorProps) {
  const { packages } = useDesign();
  const change = useChange(props.path);
  return (
    <Reference
      {...props}
      none="None"
      options={packages.map((one) => ({
        value: one.lookup_key,
        label: `${one.display_name} (${one.lookup_key})`,
      }))}
      onChange={change}
    />
  );
}

/** A tab of the tabs around the component. */
export function TabEditor(props: EditorProps) {
  const { document } = usePaywallDocument();
  const { root } = useDesign();
  const owner = props.path.slice(0, -1);
  const changeOwner = useChange(owner);
  const change = useChange(props.path);
  const tabs = layersTo(root, props.path).findLast(({ type }) => type === 'tabs');
  const options = (tabs?.children ?? [])
    .filter(({ type }) => type === 'tab')
    .map(({ path }, index) => {
      const tab = valueAt(document, path);
      const { id, name } = isObject(tab) ? tab : {};
      return { value: asText(id), label: typeof name === 'string' ? name : `Tab ${index + 1}` };
    });
  const choose = (id: string | undefined) => {
    const object = valueAt(document, owner);
    // A button names its tab by id and by place.
    if (id !== undefined && isObject(object) && Object.hasOwn(object, 'tab_index'))
      changeOwner({ ...object, tab_id: id, tab_index: options.findIndex(({ value }) => value === id) });
    else change(id);
  };
  return <Reference {...props} none="None" options={options} onChange={choose} />;
}
