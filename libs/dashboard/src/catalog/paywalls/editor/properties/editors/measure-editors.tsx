import type { Path } from '../../../paywall.types.js';
import { useDesign } from '../../design-context.js';
import { asText, isObject, valueAt } from '../../document/json-path.js';
import { usePaywallDocument } from '../../paywall-editor-context.js';
import { propertiesOf, resolved } from '../../schema/document-schema.js';
import { titleOf } from '../../schema/titles.js';
import { PropertyGroup, PropertyRow } from '../property-row.js';
import { useChange } from '../use-change.js';
import { type EditorProps, RemoveButton } from './editor-props.js';
import { NumberInput } from './number-input.js';
import { SelectInput } from './select-input.js';

const constraints = ['fit', 'fill', 'fixed', 'relative'].map((value) => ({ value, label: titleOf(value) }));

/** Width and height. */
export function SizeEditor({ field, path, disabled }: EditorProps) {
  return (
    <PropertyGroup label={field.title} end={<RemoveButton {...{ field, path, disabled }} />}>
      <Constraint label="Width" path={[...path, 'width']} disabled={disabled} />
      <Constraint label="Height" path={[...path, 'height']} disabled={disabled} />
    </PropertyGroup>
  );
}

function Constraint({ label, path, disabled }: { label: string; path: Path; disabled: boolean }) {
  const { document } = usePaywallDocument();
  const { schema } = useDesign();
  const change = useChange(path);
  const value = valueAt(document, path);
  const { type, value: amount } = isObject(value) ? value : { type: 'fit', value: undefined };
  const isRelative = type === 'relative';
  const node = isRelative
    ? { type: 'number', minimum: 0, maximum: 1 }
    : { type: 'integer', minimum: 0, maximum: 10_000 };
  const choose = (next: string) => {
    if (next === 'fixed') change({ type: next, value: 100 });
    else if (next === 'relative') change({ type: next, value: 0.5 });
    else change({ type: next });
  };
  return (
    <PropertyRow label={label}>
      {(id) => (
        <span className="flex gap-1.5">
          <span className="min-w-0 grow">
            <SelectInput
              id={id}
              options={constraints}
              value={asText(type)}
              onChange={choose}
              disabled={disabled}
            />
          </span>
          {(isRelative || type === 'fixed') && (
            <span className="w-16 shrink-0">
              <NumberInput
                label={`${label}, ${isRelative ? 'share' : 'points'}`}
                schema={schema}
                node={node}
                value={typeof amount === 'number' ? amount : undefined}
                onChange={(number) => number !== undefined && change({ type: asText(type), value: number })}
                disabled={disabled}
              />
            </span>
          )}
        </span>
      )}
    </PropertyRow>
  );
}

const shortNames: Record<string, string> = {
  leading: 'Start',
  trailing: 'End',
  top_leading: '↖',
  top_trailing: '↗',
  bottom_leading: '↙',
  bottom_trailing: '↘',
};

/** Four numbers in a row. */
function Quad({ field, path, value, disabled, order }: EditorProps & { order: readonly string[] }) {
  const { schema } = useDesign();
  const change = useChange(path);
  const properties = propertiesOf(field.node);
  const sides = isObject(value) ? value : {};
  return (
    <PropertyGroup label={field.title} end={<RemoveButton {...{ field, path, disabled }} />}>
      <div className="grid grid-cols-4 gap-1.5">
        {order.map((side) => (
          <label key={side} className="block min-w-0">
            <NumberInput
              label={`${field.title}, ${titleOf(side).toLowerCase()}`}
              schema={schema}
              node={resolved(schema, properties[side] ?? {}).node}
              value={typeof sides[side] === 'number' ? sides[side] : undefined}
              onChange={(number) => number !== undefined && change({ ...sides, [side]: number })}
              disabled={disabled}
              className="text-center"
            />
            <span aria-hidden="true" className="mt-0.5 block text-center text-xs text-muted">
              {shortNames[side] ?? titleOf(side)}
            </span>
          </label>
        ))}
      </div>
    </PropertyGroup>
  );
}

export const SpacingEditor = (props: EditorProps) => (
  <Quad {...props} order={['top', 'bottom', 'leading', 'trailing']} />
);

export const CornersEditor = (props: EditorProps) => (
  <Quad {...props} order={['top_leading', 'top_trailing', 'bottom_leading', 'bottom_trailing']} />
);
