import { use } from 'react';
import { Menu } from '../../../../ui/overlays/menu.js';
import type { JsonValue, Path } from '../../paywall.types.js';
import { useDesign } from '../design-context.js';
import { isObject, pointerOf, valueAt } from '../document/json-path.js';
import { usePaywallDocument } from '../paywall-editor-context.js';
import type { Field, FieldKind } from '../schema/fields.js';
import { newValue } from '../schema/new-value.js';
import { EditorsContext } from './editors/editors-context.js';

interface FieldListProps {
  fields: readonly Field[];
  path: Path;
  value: JsonValue | undefined;
  disabled: boolean;
  /** Shows only properties with a value; the others are in the menu. */
  isSparse?: boolean;
  /** Where new values come from, if the object there has them. */
  like?: Path;
}

/** Kinds with a control for "no value". */
const plain = new Set<FieldKind>([
  'boolean',
  'choice',
  'font',
  'number',
  'number_or_choice',
  'overrides',
  'package',
  'tab',
  'text',
]);

/** Editors of properties, and a menu that adds the others. */
export function FieldList({ fields, path, value, disabled, isSparse = false, like }: FieldListProps) {
  const { document, dispatch } = usePaywallDocument();
  const { schema, newValues } = useDesign();
  const editors = use(EditorsContext);
  const object = isObject(value) ? value : {};
  const isShown = ({ name, kind, isRequired }: Field) =>
    Object.hasOwn(object, name) || isRequired || (!isSparse && plain.has(kind));
  const hidden = fields.filter((field) => !isShown(field));
  const add = (field: Field) => {
    const present = like && valueAt(document, [...like, field.name]);
    const created =
      present === undefined ? newValue(schema, field, newValues) : { value: present, texts: {} };
    dispatch({ type: 'set', path: [...path, field.name], ...created });
  };
  return (
    <>
      {fields.filter(isShown).map((field) => {
        const Editor = editors?.[field.kind];
        const { name } = field;
        return (
          Editor && (
            <div key={name} data-field={pointerOf([...path, name])} className="contents">
              <Editor
                // The schema refuses an empty override. Its own button removes it.
                field={isSparse && Object.keys(object).length === 1 ? { ...field, isRequired: true } : field}
                path={[...path, name]}
                value={object[name]}
                disabled={disabled}
              />
            </div>
          )
        );
      })}
      {hidden.length > 0 && !disabled && (
        <div className="-ms-2">
          <Menu
            label="Add"
            icon="plus"
            size="sm"
            variant="ghost"
            align="start"
            items={hidden.map((field) => ({ label: field.title, onSelect: () => add(field) }))}
          />
        </div>
      )}
    </>
  );
}
