import { Button, IconButton } from '../../../../../ui/button.js';
import type { JsonObject } from '../../../paywall.types.js';
import { useDesign } from '../../design-context.js';
import { asText, isObject } from '../../document/json-path.js';
import { PropertyGroup } from '../property-row.js';
import { useChange } from '../use-change.js';
import { HexInput } from './color-editor.js';
import type { EditorProps } from './editor-props.js';
import { NumberInput } from './number-input.js';

const MIN_POINTS = 2;
const MAX_POINTS = 10;
const percent = { type: 'integer', minimum: 0, maximum: 100 };

/** The colors of a gradient. */
export function PointsEditor({ field, path, value, disabled }: EditorProps) {
  const { schema } = useDesign();
  const change = useChange(path);
  const points = Array.isArray(value) ? value.filter(isObject) : [];
  const set = (index: number, part: JsonObject) => change(points.with(index, { ...points[index], ...part }));
  return (
    <PropertyGroup label={field.title}>
      {points.map((point, index) => (
        <div key={index} className="flex items-center gap-1.5">
          <HexInput
            label={`Color ${index + 1}`}
            value={asText(point.color)}
            onChange={(color) => set(index, { color })}
            disabled={disabled}
          />
          <span className="w-12 shrink-0">
            <NumberInput
              label={`Color ${index + 1}, percent`}
              schema={schema}
              node={percent}
              value={Number(point.percent)}
              onChange={(number) => number !== undefined && set(index, { percent: number })}
              disabled={disabled}
            />
          </span>
          {points.length > MIN_POINTS && !disabled && (
            <IconButton
              size="sm"
              icon="x"
              label={`Remove color ${index + 1}`}
              onClick={() => change(points.toSpliced(index, 1))}
            />
          )}
        </div>
      ))}
      {points.length < MAX_POINTS && !disabled && (
        <div>
          <Button
            size="sm"
            variant="ghost"
            icon="plus"
            className="-ms-2"
            onClick={() => change([...points, { color: '#ffffff', percent: 100 }])}
          >
            Add color
          </Button>
        </div>
      )}
    </PropertyGroup>
  );
}
