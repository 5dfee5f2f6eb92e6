import { Button, IconButton } from '../../../../../ui/button.js';
import { Icon } from '../../../../../ui/icons.js';
import type { JsonObject, JsonValue, Path } from '../../../paywall.types.js';
import { useDesign } from '../../design-context.js';
import { asText, isObject } from '../../document/json-path.js';
import { usePaywallDocument } from '../../paywall-editor-context.js';
import { inputClass, PropertyGroup } from '../property-row.js';
import { useChange } from '../use-change.js';
import { type EditorProps, RemoveButton } from './editor-props.js';
import { SelectInput } from './select-input.js';
import { TextInput } from './text-input.js';
import { UnionParts } from './union-editor.js';

const kinds = [
  { value: 'hex', label: 'Color' },
  { value: 'alias', label: 'Shared' },
  { value: 'linear', label: 'Linear' },
  { value: 'radial', label: 'Radial' },
];

const HEX = /^#[0-9A-Fa-f]{6}([0-9A-Fa-f]{2})?$/;
const black = { type: 'hex', value: '#000000' };

/** Returns the color of a new kind, with as much of the present one as it can have. */
function colorOf(kind: string, before: JsonObject, names: readonly string[]): JsonObject {
  const first = Array.isArray(before.points) && isObject(before.points[0]) ? before.points[0].color : null;
  const hex = before.type === 'hex' ? before.value : first;
  if (kind === 'hex') return { type: 'hex', value: hex ?? '#000000' };
  if (kind === 'alias') return { type: 'alias', value: names[0] ?? '' };
  const points = Array.isArray(before.points)
    ? before.points
    : [
        { color: hex ?? '#000000', percent: 0 },
        { color: '#ffffff', percent: 100 },
      ];
  return kind === 'linear' ? { type: kind, degrees: 180, points } : { type: kind, points };
}

/** A color for light and maybe for dark screens. */
export function ColorEditor({ field, path, value, disabled }: EditorProps) {
  const change = useChange(path);
  const scheme = isObject(value) ? value : {};
  return (
    <PropertyGroup label={field.title} end={<RemoveButton field={field} path={path} disabled={disabled} />}>
      <ColorLine
        label={`${field.title}, light`}
        path={[...path, 'light']}
        value={scheme.light}
        disabled={disabled}
      />
      {scheme.dark === undefined ? (
        <div>
          <Button
            size="sm"
            variant="ghost"
            icon="moon"
            className="-ms-2 text-muted"
            disabledReason={disabled ? 'You may only read this paywall.' : null}
            aria-label={`Add ${field.title.toLowerCase()} for dark screens`}
            onClick={() => change({ ...scheme, dark: scheme.light ?? black })}
          >
            Dark
          </Button>
        </div>
      ) : (
        <ColorLine
          label={`${field.title}, dark`}
          path={[...path, 'dark']}
          value={scheme.dark}
          disabled={disabled}
          isRemovable
        />
      )}
    </PropertyGroup>
  );
}

interface ColorLineProps {
  label: string;
  path: Path;
  value: JsonValue | undefined;
  disabled: boolean;
  isRemovable?: boolean;
}

function ColorLine({ label, path, value, disabled, isRemovable }: ColorLineProps) {
  const { schema, settings } = useDesign();
  const change = useChange(path);
  const color = isObject(value) ? value : black;
  const names = Object.keys(settings.colors);
  const kind = asText(color.type);
  const options = kinds.filter((one) => one.value !== 'alias' || names.length > 0 || kind === 'alias');
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-center gap-1.5">
        <Icon name={path.at(-1) === 'dark' ? 'moon' : 'sun'} className="text-muted" />
        {kind === 'hex' && (
          <HexInput
            label={label}
            value={asText(color.value)}
            disabled={disabled}
            onChange={(hex) => change({ type: 'hex', value: hex })}
          />
        )}
        {kind === 'alias' && (
          <span className="min-w-0 grow">
            <SelectInput
              label={label}
              options={names.map((name) => ({ value: name, label: name }))}
              value={asText(color.value)}
              onChange={(name) => change({ type: 'alias', value: name })}
              disabled={disabled}
            />
          </span>
        )}
        {kind !== 'hex' && kind !== 'alias' && <GradientBar color={color} />}
        <span className="w-22 shrink-0">
          <SelectInput
            label={`${label}, kind`}
            options={options}
            value={kind}
            onChange={(next) => change(colorOf(next, color, names))}
            disabled={disabled}
          />
        </span>
        {isRemovable && (
          <IconButton
            size="sm"
            icon="x"
            label={`Remove ${label}`}
            disabledReason={disabled ? 'You may only read this paywall.' : null}
            onClick={() => change(undefined)}
          />
        )}
      </div>
      {kind !== 'hex' && kind !== 'alias' && (
        <div className="flex flex-col gap-2 border-s border-line ps-3">
          <UnionParts schema={schema} definition="color_info" path={path} value={color} disabled={disabled} />
        </div>
      )}
    </div>
  );
}

/** Shows the colors of a gradient. */
function GradientBar({ color }: { color: JsonObject }) {
  const points = Array.isArray(color.points) ? color.points.filter(isObject) : [];
  const stops = points.map((point) => `${asText(point.color)} ${asText(point.percent)}%`).join(', ');
  return (
    <span
      aria-hidden="true"
      className="h-7 grow rounded-md border border-edge"
      style={{ background: `linear-gradient(to right, ${stops})` }}
    />
  );
}

interface HexInputProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  disabled: boolean;
}

/** A color as a sample, which opens the chooser of the browser, and as text. */
export function HexInput({ label, value, onChange, disabled }: HexInputProps) {
  const { canWrite } = usePaywallDocument();
  return (
    <span className="flex min-w-0 grow items-center gap-1.5">
      <input
        type="color"
        aria-label={`${label}, chooser`}
        disabled={disabled || !canWrite}
        value={value.slice(0, 7)}
        onChange={({ target }) => onChange(target.value + value.slice(7))}
        className="ui-swatch size-7 shrink-0 cursor-pointer rounded-md border border-edge bg-transparent p-0.5 pointer-coarse:size-11"
      />
      <TextInput
        label={label}
        value={value}
        isValid={(text) => HEX.test(text)}
        problem="Write a color as #rrggbb."
        onChange={onChange}
        disabled={disabled}
        className={`${inputClass} font-mono`}
      />
    </span>
  );
}
