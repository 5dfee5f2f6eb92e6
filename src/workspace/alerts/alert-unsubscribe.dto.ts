import { TextParameter } from '../../platform/http/lists/query-parameters.js';

const TOKEN_MAX = 500;

export class UnsubscribeQuery {
  @TextParameter({
    required: true,
    max: TOKEN_MAX,
    description: 'From the `List-Unsubscribe` header of the mail.',
    example: 'v1.Zm9yIGFuIGFjY291bnQ',
  })
  token: string;
}
