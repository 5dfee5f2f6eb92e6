import { misplacedField } from './declared-fields.js';
import { IntField, ObjectArrayField, ObjectField, StringField } from './fields.js';

const text = { max: 10, optional: true } as const;

class RetriesDto {
  @IntField({ min: 1, max: 5, optional: true })
  attempts?: number;
}

class StoreDto {
  @StringField(text)
  forward_url?: string;

  @StringField(text)
  note?: string;

  @ObjectField(() => RetriesDto, { optional: true })
  retries?: RetriesDto;
}

class OtherStoreDto {
  @StringField(text)
  forward_url?: string;
}

class PartDto extends StoreDto {
  @StringField(text)
  code?: string;
}

class BodyDto {
  @StringField(text)
  name?: string;

  @StringField(text)
  note?: string;

  @ObjectField(() => StoreDto, { optional: true })
  store?: StoreDto;

  @ObjectField(() => OtherStoreDto, { optional: true })
  other?: OtherStoreDto;

  @ObjectArrayField(() => PartDto, { optional: true, max: 2 })
  parts?: PartDto[];
}

describe('a field at the wrong level of a body', () => {
  it.each([
    [{ forward_url: 'x' }, 'forward_url', ['store', 'other']],
    [{ name: 'a', forward_url: null }, 'forward_url', ['store', 'other']],
    [{ retries: {} }, 'retries', ['store']],
    [{ attempts: 1 }, 'attempts', ['store.retries']],
    [{ store: { attempts: 1 } }, 'store.attempts', ['retries']],
    [{ store: { name: 'a' } }, 'store.name', ['']],
    [{ store: { retries: { forward_url: 'x' } } }, 'store.retries.forward_url', ['store']],
    [{ parts: [{}, { attempts: 1 }] }, 'parts.1.attempts', ['retries']],
  ])('finds it in %j', (body, param, places) => {
    expect(misplacedField(BodyDto, body)).toEqual({ param, places });
  });

  it.each([
    {},
    { name: 'a', note: 'b', store: { forward_url: 'x', note: 'y', retries: { attempts: 1 } } },
    { unknown: 1, store: { unknown: 1 }, other: 'text', parts: [{ name: 'a' }, null, 1] },
    { code: 'a', store: ['attempts'], parts: { attempts: 1 } },
  ])('allows %j', (body) => {
    expect(misplacedField(BodyDto, body)).toBeNull();
  });
});
