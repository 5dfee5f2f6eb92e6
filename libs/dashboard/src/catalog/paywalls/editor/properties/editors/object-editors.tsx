import { Button, IconButton } from '../../../../../ui/button.js';
import { useDesign } from '../../design-context.js';
import { isObject } from '../../document/json-path.js';
import { usePaywallDocument } from '../../paywall-editor-context.js';
import { resolved } from '../../schema/document-schema.js';
import { fieldsIn } from '../../schema/fields.js';
import { newValue } from '../../schema/new-value.js';
import { FieldList } from '../field-list.js';
import { PropertyGroup } from '../property-row.js';
import { type EditorProps, RemoveButton } from './editor-props.js';

/** A value with named parts. */
export function ObjectEditor({ field, path, value, disabled }: EditorProps) {
  const { schema } = useDesign();
  return (
    <PropertyGroup isNested label={field.title} end={<RemoveButton {...{ field, path, disabled }} />}>
      <FieldList fields={fieldsIn(schema, field.node)} path={path} value={value} disabled={disabled} />
    </PropertyGroup>
  );
}

/** A list of values with named parts. */
export function ListEditor({ field, path, value, disabled }: EditorProps) {
  const { schema, newValues } = useDesign();
  const { dispatch } = usePaywallDocument();
  const items = Array.isArray(value) ? value : [];
  const { node, definition } = resolved(schema, isObject(field.node.items) ? field.node.items : {});
  const add = () => {
    const { value: item, texts } = newValue(schema, { name: 'item', node, definition }, newValues);
    if (isObject(item)) dispatch({ type: 'insert', path: [...path, items.length], item, texts });
  };
  return (
    <PropertyGroup isNested label={field.title} end={<RemoveButton {...{ field, path, disabled }} />}>
      {items.map((item, index) => (
        // Items have no ids, and their place is what a change is about.
        <div key={index} className="relative flex flex-col gap-2 pe-8">
          <FieldList
            fields={fieldsIn(schema, node)}
            path={[...path, index]}
            value={item}
            disabled={disabled}
          />
          {!disabled && (
            <IconButton
              size="sm"
              icon="x"
              className="absolute end-0 top-0"
              label={`Remove ${field.title.toLowerCase()} ${index + 1}`}
              onClick={() => dispatch({ type: 'remove', path: [...path, index] })}
            />
          )}
        </div>
      ))}
      {!disabled && (
        <div>
          <Button size="sm" variant="ghost" icon="plus" className="-ms-2" onClick={add}>
            Add to {field.title.toLowerCase()}
          </Button>
        </div>
      )}
    </PropertyGroup>
  );
}
