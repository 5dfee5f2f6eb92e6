import type { JsonObject, Path } from '../../paywall.types.js';
import { asText } from '../document/json-path.js';
import { changedDocument } from '../document/document-changes.js';
import { firstProblem, schema, screenWith } from '../testing/example.js';
import { componentTypes } from './document-schema.js';
import { fieldsOf } from './fields.js';
import { newLayer, newValue } from './new-value.js';

const context = { iconsUrl: 'https://tenure.example.com/paywall-icons', packageIds: ['$rc_annual'] };
const at: Path = ['components_config', 'base', 'stack', 'components', 0];
const types = componentTypes(schema);

describe('a new component', () => {
  it.each(types)('follows the schema: %s', (type) => {
    const { value: item, texts } = newLayer(schema, type, context);
    const document = changedDocument(screenWith([]), { type: 'insert', path: at, item, texts });
    expect(firstProblem(document)).toBeNull();
  });

  const optional = types.flatMap((type) =>
    fieldsOf(schema, type)
      .filter(({ isRequired, kind }) => !isRequired && kind !== 'overrides')
      .map(({ name }) => [type, name] as const),
  );

  it.each(optional)('of type %s accepts a new %s', (type, name) => {
    const created = newLayer(schema, type, context);
    const field = fieldsOf(schema, type).find((one) => one.name === name)!;
    const { value, texts } = newValue(schema, field, context);
    const item: JsonObject = { ...created.value, [name]: value };
    const document = changedDocument(screenWith([]), {
      type: 'insert',
      path: at,
      item,
      texts: { ...created.texts, ...texts },
    });
    expect(firstProblem(document)).toBeNull();
  });

  it('has a text in the default language with an id of 10 characters', () => {
    const { value, texts } = newLayer(schema, 'text', context);
    expect(asText(value.text_lid)).toMatch(/^[\w-]{10}$/);
    expect(texts).toEqual({ [asText(value.text_lid)]: 'New text' });
  });

  it('sells a package of the offering', () => {
    expect(newLayer(schema, 'package', context).value.package_id).toBe('$rc_annual');
  });

  it('has tabs that open each other', () => {
    const { value } = newLayer(schema, 'tabs', context);
    const [tab] = value.tabs as JsonObject[];
    expect(value.default_tab_id).toBe(tab?.id);
    expect(JSON.stringify(value.control)).toContain(`"tab_id":${JSON.stringify(tab?.id)}`);
  });

  it.each(['header', 'sticky_footer'])('starts a %s that all SDKs know', (slot) => {
    const { value, texts } = newLayer(schema, slot, context);
    expect(value.type).toBe(slot === 'header' ? 'header' : 'footer');
    const document = changedDocument(screenWith([]), {
      type: 'set',
      path: ['components_config', 'base', slot],
      value,
      texts,
    });
    expect(firstProblem(document)).toBeNull();
  });
});
