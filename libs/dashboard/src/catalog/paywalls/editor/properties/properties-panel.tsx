import { useEffect, useEffectEvent, useRef } from 'react';
import { DataText } from '../../../../ui/text/data-text.js';
import { visibleText } from '../../../../ui/text/visible-text.js';
import { useDesign } from '../design-context.js';
import { isInside, isObject, pathOf, pointerOf, valueAt } from '../document/json-path.js';
import { layerName } from '../layers/layer-names.js';
import { usePaywallDocument } from '../paywall-editor-context.js';
import { fieldsOf, groups } from '../schema/fields.js';
import { typeTitle } from '../schema/titles.js';
import { EditorsContext } from './editors/editors-context.js';
import { fieldEditors } from './field-editors.js';
import { FieldList } from './field-list.js';

/** Focuses the field that contains the awaited value, once it is rendered. */
function useAwaitedField() {
  const { awaited, onFocused } = usePaywallDocument();
  const panel = useRef<HTMLDivElement>(null);
  const focus = useEffectEvent(() => {
    if (!awaited) return;
    const fields = [...(panel.current?.querySelectorAll<HTMLElement>('[data-field]') ?? [])];
    const field = fields.findLast(({ dataset }) => isInside(awaited, pathOf(dataset.field ?? '')));
    field?.querySelector<HTMLElement>('input, select, textarea, button')?.focus();
    onFocused();
  });
  useEffect(() => focus(), [awaited]);
  return panel;
}

/** The properties of the selected layer, generated from the schema. */
export function PropertiesPanel() {
  const { document, locale, canWrite, problems } = usePaywallDocument();
  const { schema, layer } = useDesign();
  const panel = useAwaitedField();
  const value = valueAt(document, layer.path);
  const type = typeTitle(schema, layer.type);
  const name = visibleText(layerName(schema, layer, document, locale));
  const fields = fieldsOf(schema, layer.type);
  const pointer = pointerOf(layer.path);
  const own = problems.filter(
    ({ path }) => path === pointer || (layer.children.length === 0 && path.startsWith(`${pointer}/`)),
  );
  return (
    <section aria-labelledby="properties" className="flex min-h-0 flex-col">
      <header className="flex h-10 shrink-0 items-center gap-2 border-b border-line px-3">
        <h2 id="properties" className="shrink-0 font-semibold">
          {type}
        </h2>
        {name !== type && <span className="min-w-0 truncate text-sm text-muted">{name}</span>}
      </header>
      <div
        key={pointer}
        ref={panel}
        // Without a control that can be focused, the keyboard scrolls the panel itself.
        tabIndex={canWrite ? undefined : 0}
        className="relative min-h-0 grow overflow-y-auto outline-offset-[-2px]!"
      >
        {own.length > 0 && (
          <ul className="border-b border-line px-3 py-2 text-sm">
            {own.map(({ severity, code, message, path }) => (
              <li key={`${code}${path}`} className={severity === 'error' ? 'text-bad' : 'text-warn'}>
                <DataText>{message}</DataText>
              </li>
            ))}
          </ul>
        )}
        {groups.map((group) => {
          const shown = fields.filter((field) => field.group === group);
          if (shown.length === 0) return null;
          return (
            <section
              key={group}
              aria-label={group}
              className="border-b border-line px-3 py-2.5 last:border-b-0"
            >
              <h3 className="mb-1.5 text-xs font-semibold text-muted">{group}</h3>
              <div className="flex flex-col gap-2">
                <EditorsContext value={fieldEditors}>
                  <FieldList fields={shown} path={layer.path} value={value} disabled={!canWrite} />
                </EditorsContext>
              </div>
            </section>
          );
        })}
        {isObject(value) && typeof value.id === 'string' && (
          <p className="px-3 py-2 text-xs text-muted">
            Id <DataText mono>{value.id}</DataText>
          </p>
        )}
      </div>
    </section>
  );
}
