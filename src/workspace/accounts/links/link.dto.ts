import { StringField } from '../../../platform/http/bodies/fields.js';
import { BodyExample } from '../../../platform/http/bodies/body-example.js';

const TOKEN_MAX = 200;

/** The token of a link. */
export function TokenField(): PropertyDecorator {
  return StringField({ max: TOKEN_MAX, description: 'What follows `#token=` in the link.' });
}

@BodyExample({ token: 'Zm9yIGV4YW1wbGUgb25seSwgbm90IGEgcmVhbCBvbmU' })
export class TokenDto {
  @TokenField()
  token: string;
}
