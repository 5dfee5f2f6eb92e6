import { useDesign } from '../../design-context.js';
import { asText, isObject, valueAt } from '../../document/json-path.js';
import { usePaywallDocument } from '../../paywall-editor-context.js';
import { titleOf } from '../../schema/titles.js';
import { PropertyRow } from '../property-row.js';
import { useChange } from '../use-change.js';
import type { EditorProps } from './editor-props.js';
import { SelectInput } from './select-input.js';

/** One of the icons of the server. */
export function IconEditor({ field, path, disabled }: EditorProps) {
  const { document } = usePaywallDocument();
  const { iconNames, newValues } = useDesign();
  const owner = path.slice(0, -1);
  const change = useChange(owner);
  const object = valueAt(document, owner);
  const { icon_name: name, base_url: base, formats } = isObject(object) ? object : {};
  const file = isObject(formats) ? formats.png : undefined;
  const choose = (next: string) =>
    change({
      ...(isObject(object) && object),
      base_url: newValues.iconsUrl,
      icon_name: next,
      formats: { svg: `${next}.svg`, png: `${next}.png`, heic: `${next}.png`, webp: `${next}.webp` },
    });
  return (
    <PropertyRow
      label={field.title}
      end={
        base === newValues.iconsUrl &&
        typeof file === 'string' && (
          <span className="flex size-7 shrink-0 items-center justify-center rounded-md border border-line bg-[#ffffff]">
            <img src={`/paywall-icons/${file}`} alt="" className="size-5" />
          </span>
        )
      }
    >
      {(id) => (
        <SelectInput
          id={id}
          options={iconNames.map((one) => ({ value: one, label: titleOf(one.replaceAll('-', '_')) }))}
          value={asText(name ?? '')}
          onChange={choose}
          disabled={disabled}
        />
      )}
    </PropertyRow>
  );
}
