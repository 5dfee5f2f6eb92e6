import { isJsonObject } from '../../../libs/kernel/index.js';
import { oauthError } from './oauth-error.js';

/**
 * The fields of a posted form, or of a JSON object of strings. A field without a value counts as absent (RFC 6749,
 * 3.2).
 */
export class OauthForm {
  private constructor(private readonly fields: Readonly<Record<string, unknown>>) {}

  /** @throws ApiError 400 for a body that is neither, and for a repeated field */
  static parse(body: unknown): OauthForm {
    if (!isJsonObject(body))
      throw oauthError('invalid_request', 'Send a form (application/x-www-form-urlencoded).');
    const repeated = Object.keys(body).find((name) => Array.isArray(body[name]));
    if (repeated !== undefined) throw oauthError('invalid_request', `${repeated} must be given only once.`);
    return new OauthForm(body);
  }

  /** @throws ApiError 400 unless the value is a string */
  optional(name: string): string | null {
    const value = Object.hasOwn(this.fields, name) ? this.fields[name] : undefined;
    if (value === undefined || value === null || value === '') return null;
    if (typeof value !== 'string') throw oauthError('invalid_request', `${name} must be text.`);
    return value;
  }

  /** @throws ApiError 400 */
  required(name: string): string {
    const value = this.optional(name);
    if (value === null) throw oauthError('invalid_request', `${name} is required.`);
    return value;
  }
}
