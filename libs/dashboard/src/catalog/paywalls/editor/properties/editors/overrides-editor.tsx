import { Button, IconButton } from '../../../../../ui/button.js';
import type { JsonObject, JsonValue, Path } from '../../../paywall.types.js';
import { useDesign } from '../../design-context.js';
import { asText, isObject } from '../../document/json-path.js';
import { usePaywallDocument } from '../../paywall-editor-context.js';
import { propertiesOf, resolved, type SchemaNode } from '../../schema/document-schema.js';
import { type Field, fieldsIn } from '../../schema/fields.js';
import { titleOf } from '../../schema/titles.js';
import { FieldList } from '../field-list.js';
import type { EditorProps } from './editor-props.js';
import { UnionEditor } from './union-editor.js';

const partOf = (node: SchemaNode, name: string): SchemaNode => {
  const { items } = node;
  const rule = isObject(items) ? items : {};
  return propertiesOf(rule)[name] ?? {};
};

const wordsOf = (condition: JsonValue): string =>
  isObject(condition) ? titleOf(asText(condition.type)).toLowerCase() : '';

/** Other values of the component while conditions hold. */
export function OverridesEditor({ field, path, value, disabled }: EditorProps) {
  const { schema } = useDesign();
  const { dispatch } = usePaywallDocument();
  const rules = Array.isArray(value) ? value.filter(isObject) : [];
  const fields = fieldsIn(schema, resolved(schema, partOf(field.node, 'properties')).node);
  const add = () => {
    const rule = { conditions: [{ type: 'selected' }], properties: { visible: true } };
    dispatch({ type: 'set', path, value: [...rules, rule] });
  };
  const remove = (index: number) =>
    dispatch({ type: 'set', path, value: rules.length === 1 ? undefined : rules.toSpliced(index, 1) });
  return (
    <div className="flex flex-col gap-3">
      {rules.map((rule, index) => (
        <Rule
          key={index}
          node={field.node}
          fields={fields}
          path={[...path, index]}
          rule={rule}
          disabled={disabled}
          onRemove={() => remove(index)}
        />
      ))}
      {!disabled && (
        <div>
          <Button size="sm" variant="ghost" icon="plus" className="-ms-2" onClick={add}>
            Change it when…
          </Button>
        </div>
      )}
    </div>
  );
}

interface RuleProps {
  node: SchemaNode;
  fields: readonly Field[];
  path: Path;
  rule: JsonObject;
  disabled: boolean;
  onRemove: () => void;
}

function Rule({ node, fields, path, rule, disabled, onRemove }: RuleProps) {
  const { schema } = useDesign();
  const { dispatch } = usePaywallDocument();
  const conditions = Array.isArray(rule.conditions) ? rule.conditions : [];
  const { items } = resolved(schema, partOf(node, 'conditions')).node;
  const condition = resolved(schema, isObject(items) ? items : {});
  const words = `When ${conditions.map(wordsOf).join(' and ')}`;
  const conditionField: Field = {
    name: 'condition',
    title: 'When',
    group: 'When',
    kind: 'union',
    node: condition.node,
    definition: condition.definition,
    isRequired: true,
  };
  const list = [...path, 'conditions'];
  return (
    <fieldset className="min-w-0 rounded-md border border-line p-2.5">
      <legend className="sr-only">{words}</legend>
      <div className="mb-2 flex items-center justify-between gap-2">
        <span aria-hidden="true" className="min-w-0 font-medium">
          {words}
        </span>
        {!disabled && <IconButton size="sm" icon="x" label={`Remove "${words}"`} onClick={onRemove} />}
      </div>
      <div className="flex flex-col gap-2">
        {conditions.map((value, index) => (
          <div key={index} className="flex items-start gap-1">
            <div className="min-w-0 grow">
              <UnionEditor
                field={index === 0 ? conditionField : { ...conditionField, title: 'And' }}
                path={[...list, index]}
                value={value}
                disabled={disabled}
              />
            </div>
            {conditions.length > 1 && !disabled && (
              <IconButton
                size="sm"
                icon="x"
                label={`Remove condition ${index + 1}`}
                onClick={() => dispatch({ type: 'remove', path: [...list, index] })}
              />
            )}
          </div>
        ))}
        {!disabled && (
          <div>
            <Button
              size="sm"
              variant="ghost"
              icon="plus"
              className="-ms-2"
              onClick={() =>
                dispatch({
                  type: 'insert',
                  path: [...list, conditions.length],
                  item: { type: 'intro_offer' },
                })
              }
            >
              And…
            </Button>
          </div>
        )}
        <div className="flex flex-col gap-2 border-t border-line pt-2">
          <FieldList
            isSparse
            fields={fields}
            path={[...path, 'properties']}
            value={rule.properties}
            disabled={disabled}
            like={path.slice(0, -2)}
          />
        </div>
      </div>
    </fieldset>
  );
}
