import { BodyExample } from '../../platform/http/bodies/body-example.js';
import { StringField } from '../../platform/http/bodies/fields.js';

/** The longest prefix plus the longest suffix. */
const MAX_LENGTH = 133;

@BodyExample({ public_key: 'test_oldKeyOfTheShippedApp' })
export class ImportPublicApiKeyDto {
  @StringField({
    max: MAX_LENGTH,
    example: 'goog_oldKeyOfTheShippedApp',
    description: "Begins with the prefix of the app's store.",
  })
  public_key: string;
}
