import { schemaProblem } from '../../schema/check.js';
import { useDesign } from '../../design-context.js';
import { type SchemaNode } from '../../schema/document-schema.js';
import { titleOf } from '../../schema/titles.js';
import { asText, isObject } from '../../document/json-path.js';
import { PropertyRow } from '../property-row.js';
import { useChange } from '../use-change.js';
import { type EditorProps, RemoveButton } from './editor-props.js';
import { NumberInput } from './number-input.js';
import { SelectInput } from './select-input.js';
import { TextInput } from './text-input.js';

const DEFAULT = '';

/** On or off. */
export function BooleanEditor({ field, path, value, disabled }: EditorProps) {
  const change = useChange(path);
  return (
    <PropertyRow
      label={field.title}
      end={value !== undefined && <RemoveButton {...{ field, path, disabled }} />}
    >
      {(id) => (
        <input
          id={id}
          type="checkbox"
          role="switch"
          disabled={disabled}
          checked={Boolean(value ?? field.node.default ?? false)}
          onChange={({ target }) => change(target.checked)}
          className="ui-switch block"
        />
      )}
    </PropertyRow>
  );
}

const choicesOf = ({ enum: values }: SchemaNode) =>
  (Array.isArray(values) ? values : []).map((one) => ({ value: asText(one), label: titleOf(asText(one)) }));

/** The first option of an optional choice. */
const defaultOption = ({ default: value }: SchemaNode) => ({
  value: DEFAULT,
  label: typeof value === 'string' ? `Default (${titleOf(value).toLowerCase()})` : 'Default',
});

/** One of several values. */
export function ChoiceEditor({ field, path, value, disabled }: EditorProps) {
  const change = useChange(path);
  const options = choicesOf(field.node);
  return (
    <PropertyRow label={field.title}>
      {(id) => (
        <SelectInput
          id={id}
          options={field.isRequired ? options : [defaultOption(field.node), ...options]}
          value={typeof value === 'string' ? value : DEFAULT}
          onChange={(chosen) => change(chosen === DEFAULT ? undefined : chosen)}
          disabled={disabled}
        />
      )}
    </PropertyRow>
  );
}

/** A number. */
export function NumberEditor({ field, path, value, disabled }: EditorProps) {
  const { schema } = useDesign();
  const change = useChange(path);
  const { default: standard } = field.node;
  return (
    <PropertyRow label={field.title}>
      {(id) => (
        <NumberInput
          id={id}
          schema={schema}
          node={field.node}
          value={typeof value === 'number' ? value : undefined}
          onChange={change}
          isOptional={!field.isRequired}
          placeholder={typeof standard === 'number' ? asText(standard) : 'Default'}
          disabled={disabled}
        />
      )}
    </PropertyRow>
  );
}

/** A number, or one of several names. */
export function NumberOrChoiceEditor({ field, path, value, disabled }: EditorProps) {
  const { schema } = useDesign();
  const change = useChange(path);
  const alternatives = Array.isArray(field.node.oneOf) ? field.node.oneOf.filter(isObject) : [];
  const numbers = alternatives.find(({ type }) => type === 'integer' || type === 'number') ?? {};
  const names = choicesOf(alternatives.find(({ enum: values }) => Array.isArray(values)) ?? {});
  const first = typeof field.node.default === 'number' ? field.node.default : 15;
  const isNumber = typeof value === 'number';
  const options = [
    ...(field.isRequired ? [] : [{ value: DEFAULT, label: 'Default' }]),
    { value: 'number', label: 'Points' },
    ...names,
  ];
  const choose = (chosen: string) =>
    change(chosen === DEFAULT ? undefined : chosen === 'number' ? first : chosen);
  return (
    <PropertyRow label={field.title}>
      {(id) => (
        <span className="flex gap-1.5">
          {isNumber && (
            <span className="w-16 shrink-0">
              <NumberInput
                id={id}
                schema={schema}
                node={numbers}
                value={value}
                onChange={change}
                disabled={disabled}
              />
            </span>
          )}
          <span className="min-w-0 grow">
            <SelectInput
              id={isNumber ? undefined : id}
              label={isNumber ? `${field.title}, kind` : undefined}
              options={options}
              value={isNumber ? 'number' : typeof value === 'string' ? value : DEFAULT}
              onChange={choose}
              disabled={disabled}
            />
          </span>
        </span>
      )}
    </PropertyRow>
  );
}

/** A text that is the same in every language. */
export function TextEditor({ field, path, value, disabled }: EditorProps) {
  const { schema } = useDesign();
  const change = useChange(path);
  const isValid = (text: string) =>
    (text === '' && !field.isRequired) || schemaProblem(schema, field.node, text) === null;
  return (
    <PropertyRow label={field.title}>
      {(id) => (
        <TextInput
          id={id}
          value={typeof value === 'string' ? value : ''}
          isValid={isValid}
          problem={
            field.name === 'url'
              ? 'Write an address such as https://example.com.'
              : 'This value has a wrong form.'
          }
          onChange={(text) => change(text === '' && !field.isRequired ? undefined : text)}
          placeholder={field.isRequired ? undefined : 'None'}
          disabled={disabled}
        />
      )}
    </PropertyRow>
  );
}

const parsed = (text: string): string | number | boolean =>
  text === 'true' || text === 'false'
    ? text === 'true'
    : text.trim() !== '' && !Number.isNaN(Number(text))
      ? Number(text)
      : text;

/** A text, a number, or true or false. */
export function ScalarEditor({ field, path, value, disabled }: EditorProps) {
  const change = useChange(path);
  return (
    <PropertyRow label={field.title}>
      {(id) => (
        <TextInput
          id={id}
          value={asText(value ?? '')}
          onChange={(text) => change(parsed(text))}
          disabled={disabled}
        />
      )}
    </PropertyRow>
  );
}
