import type { JsonValue } from '../../paywall.types.js';
import { withValue, pathOf } from '../document/json-path.js';
import { example, schema } from '../testing/example.js';
import { schemaProblem } from './check.js';
import { propertiesOf } from './document-schema.js';

const config = propertiesOf(schema).components_config!;
const check = (pointer: string, value: JsonValue | undefined) =>
  schemaProblem(
    schema,
    config,
    withValue(example.components_config, pathOf(pointer), () => value) as JsonValue,
  );

it('accepts the example', () => {
  expect(schemaProblem(schema, config, example.components_config)).toBeNull();
});

it.each<[string, JsonValue | undefined, string]>([
  ['/base/stack/spacing', -1, 'must be at least 0'],
  ['/base/stack/spacing', undefined, 'needs spacing'],
  ['/base/stack/spacing', 'wide', 'must be number'],
  ['/base/stack/size/width/type', 'huge', 'must be one of fit, fill, fixed, relative'],
  ['/base/stack/colour', 'red', 'is not a known property'],
  ['/base/stack/components/0/type', 'blink', 'must be one of text'],
])('reports %s = %p', (pointer, value, message) => {
  expect(check(pointer, value)?.message).toContain(message);
});
