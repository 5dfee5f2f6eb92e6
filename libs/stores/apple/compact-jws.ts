import { isJsonObject, parseJson } from '../../kernel/index.js';
import { NotGenuine } from './not-genuine.js';

/** Genuine ones are about five kilobytes, mostly certificates. */
const MAX_LENGTH = 128 * 1024;
const PART = /^[A-Za-z0-9_-]+$/;

export interface UnverifiedPayload {
  /** Still encoded. All texts that the App Store signs with the same certificates have the same header. */
  header: string;
  payload: Record<string, unknown>;
}

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

/** Parses the payload without verifying. @throws NotGenuine if the form differs */
export function readPayload(text: string): UnverifiedPayload {
  if (text.length > MAX_LENGTH) throw new NotGenuine('The signed data is too long.');
  if (!looksLikeJws(text)) throw new NotGenuine('This is not signed data of the App Store.');
  const [header = '', payload = ''] = text.split('.');
  return { header, payload: json(payload) };
}

/** @throws NotGenuine if it cannot be parsed or the algorithm is not Apple's */
export function readHeader(encoded: string): Record<string, unknown> {
  const header = json(encoded);
  if (header.alg !== 'ES256') throw new NotGenuine('The data is not signed with ES256.');
  return header;
}

/** Parses without verifying. @throws NotGenuine if the form differs or the algorithm is not Apple's */
export function readJws(text: string): UnverifiedJws {
  const { header, payload } = readPayload(text);
  return { header: readHeader(header), payload };
}
