import type { JsonObject, JsonValue, Path } from '../../../paywall.types.js';
import { useDesign } from '../../design-context.js';
import { asText, isObject } from '../../document/json-path.js';
import { schemaProblem } from '../../schema/check.js';
import {
  alternativeFor,
  alternativesOf,
  definitionOf,
  discriminatorOf,
  propertiesOf,
  type SchemaNode,
  valuesOf,
} from '../../schema/document-schema.js';
import { fieldsIn } from '../../schema/fields.js';
import { newValue } from '../../schema/new-value.js';
import { titleOf } from '../../schema/titles.js';
import { FieldList } from '../field-list.js';
import { PropertyRow } from '../property-row.js';
import { useChange } from '../use-change.js';
import { type EditorProps, RemoveButton } from './editor-props.js';
import { SelectInput } from './select-input.js';

/** Returns the parts of `before` that `node` may have as well. */
function commonParts(schema: SchemaNode, node: SchemaNode, before: JsonObject): JsonObject {
  const properties = propertiesOf(node);
  return Object.fromEntries(
    Object.entries(before).filter(
      ([name, value]) => properties[name] && schemaProblem(schema, properties[name], value) === null,
    ),
  );
}

/** A value with alternatives: which one, and its parts. */
export function UnionEditor({ field, path, value, disabled }: EditorProps) {
  const { schema } = useDesign();
  return (
    <div className="flex flex-col gap-2">
      <UnionSelect
        label={field.title}
        node={field.node}
        path={path}
        value={value}
        disabled={disabled}
        end={<RemoveButton field={field} path={path} disabled={disabled} />}
      />
      <NestedUnion schema={schema} node={field.node} path={path} value={value} disabled={disabled} />
    </div>
  );
}

interface PartsProps {
  schema: SchemaNode;
  path: Path;
  value: JsonValue | undefined;
  disabled: boolean;
}

/** The parts of the chosen alternative, which may have alternatives itself. */
function NestedUnion({ schema, node, path, value, disabled }: PartsProps & { node: SchemaNode }) {
  const alternative = alternativeFor(schema, node, value)?.node;
  if (!alternative) return null;
  const inner = discriminatorOf(alternative);
  const outer = discriminatorOf(node)!;
  const isEmpty = inner === null && fieldsIn(schema, alternative).every(({ name }) => name === outer);
  if (isEmpty) return null;
  return (
    <div className="flex flex-col gap-2 border-s border-line ps-3">
      {inner === null ? (
        <FieldList
          fields={fieldsIn(schema, alternative).filter(({ name }) => name !== outer)}
          path={path}
          value={value}
          disabled={disabled}
        />
      ) : (
        <>
          <UnionSelect
            label={titleOf(inner)}
            node={alternative}
            path={path}
            value={value}
            disabled={disabled}
          />
          <NestedUnion schema={schema} node={alternative} path={path} value={value} disabled={disabled} />
        </>
      )}
    </div>
  );
}

/** The parts of a value of a definition with alternatives, without the choice. */
export function UnionParts({ definition, ...props }: PartsProps & { definition: string }) {
  const alternative = alternativeFor(props.schema, definitionOf(props.schema, definition), props.value);
  return alternative && <FieldList fields={fieldsIn(props.schema, alternative.node)} {...props} />;
}

interface UnionSelectProps {
  label: string;
  node: SchemaNode;
  path: Path;
  value: JsonValue | undefined;
  disabled: boolean;
  end?: React.ReactNode;
}

function UnionSelect({ label, node, path, value, disabled, end }: UnionSelectProps) {
  const { schema, newValues } = useDesign();
  const change = useChange(path);
  const discriminator = discriminatorOf(node)!;
  const before = isObject(value) ? value : {};
  const options = alternativesOf(schema, node).flatMap((option) =>
    valuesOf(option.node, discriminator).map((name) => ({
      value: name,
      label: titleOf(name),
      node: option.node,
    })),
  );
  const choose = (name: string) => {
    const chosen = options.find((option) => option.value === name);
    if (!chosen) return;
    const parts = { ...commonParts(schema, chosen.node, before), [discriminator]: name };
    const created = newValue(
      schema,
      { name: discriminator, node: { ...chosen.node, default: parts }, definition: null },
      newValues,
    );
    change(created.value, created.texts);
  };
  return (
    <PropertyRow label={label} end={end}>
      {(id) => (
        <SelectInput
          id={id}
          options={options}
          value={asText(before[discriminator] ?? '')}
          onChange={choose}
          disabled={disabled}
        />
      )}
    </PropertyRow>
  );
}
