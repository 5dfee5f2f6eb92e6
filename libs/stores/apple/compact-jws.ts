import { isJsonObject, parseJson } from '../../kernel/index.js';
import { NotGenuine } from './not-genuine.js';

/** Genuine ones are about five kilobytes, mostly certificates. */
const MAX_LENGTH = 128 * 1024;
const PART = /^[A-Za-z0-9_-]+$/;

export interface UnverifiedJws {
  header: Record<string, unknown>;
  payload: Record<string, unknown>;
}

export function looksLikeJws(text: string): boolean {
  const parts = text.split('.', 4);
  return parts.length === 3 && parts.every((part) => PART.test(part));
}

function json(part: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = parseJson(Buffer.from(part, 'base64url'));
  } catch {
    throw new NotGenuine('The signed data is not JSON.');
  }
  if (!isJsonObject(value)) throw new NotGenuine('The signed data is not a JSON object.');
  return value;
}

/** Parses without verifying. @throws NotGenuine if the form differs or the algorithm is not Apple's */
export function readJws(text: string): UnverifiedJws {
  if (text.length > MAX_LENGTH) throw new NotGenuine('The signed data is too long.');
  if (!looksLikeJws(text)) throw new NotGenuine('This is not signed data of the App Store.');
  const [header = '', payload = ''] = text.split('.');
  const jws = { header: json(header), payload: json(payload) };
  if (jws.header.alg !== 'ES256') throw new NotGenuine('The data is not signed with ES256.');
  return jws;
}
