import { isJsonObject } from '../../../libs/kernel/index.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import type { ApiRequest } from '../../platform/http/pipeline/request.js';
import type { AttributeInput } from '../../customers/customers/identity/attribute-merge.js';
import { isSdkName } from '../../customers/customers/identity/attribute-names.js';
import { valueProblem } from './attribute-values.js';

/** A problem with one attribute, in the format that the SDKs read. */
export interface AttributeError {
  key_name: string;
  message: string;
}

export interface SdkAttributes {
  inputs: AttributeInput[];
  errors: AttributeError[];
}

/** Device facts that the server knows. The SDK only references them (with the value `true`). */
export type DeviceFacts = Record<string, string | null>;

export function deviceFacts(request: ApiRequest): DeviceFacts {
  const header = (name: string): string | null => {
    const value = request.headers[name];
    return typeof value === 'string' && value !== '' ? value : null;
  };
  return {
    $ip: request.ip ?? null,
    $deviceVersion: header('x-platform-version'),
    $idfv: header('x-apple-device-identifier'),
  };
}

/** Returns the entry's write, a description of its problem, or null if there is nothing to write. */
function readOne(name: string, entry: unknown, device: DeviceFacts): AttributeInput | string | null {
  if (!isSdkName(name)) return 'Key name format is not valid.';
  if (!isJsonObject(entry)) return 'Attribute must be an object with a value.';
  const { value = null, updated_at_ms: updatedAt = null } = entry;
  if (value !== null && typeof value !== 'string') return 'Value must be a string.';
  if (updatedAt !== null && !Number.isSafeInteger(updatedAt)) return 'updated_at_ms must be an integer.';
  const known = value === 'true' && Object.hasOwn(device, name) ? device[name] : undefined;
  // The SDK only references it, and the request does not contain the value.
  if (known === null) return null;
  const text = known ?? value;
  // iOS deletes with an empty string, Android and the web with null.
  const stored = text === '' ? null : text;
  return valueProblem(name, stored) ?? { name, value: stored, updatedAtMs: updatedAt as number | null };
}

/** Reads an `attributes` object entry by entry: an invalid entry does not affect the others. */
export function readSdkAttributes(attributes: Record<string, unknown>, device: DeviceFacts): SdkAttributes {
  const read: SdkAttributes = { inputs: [], errors: [] };
  for (const [name, entry] of Object.entries(attributes)) {
    const result = readOne(name, entry, device);
    if (typeof result === 'string') read.errors.push({ key_name: name, message: result });
    else if (result !== null) read.inputs.push(result);
  }
  return read;
}

/** @throws ApiError 400, code 7264, if `attributes` is not an object of objects */
export function readAttributesBody(body: unknown, device: DeviceFacts): SdkAttributes {
  const attributes = isJsonObject(body) ? body.attributes : undefined;
  if (!isJsonObject(attributes) || !Object.values(attributes).every(isJsonObject)) {
    const message = 'attributes must be an object of objects with a value.';
    throw new ApiError('parameter', message, { param: 'attributes', code: 7264 });
  }
  return readSdkAttributes(attributes, device);
}

/** The error for a body's rejected attributes; the others are saved. */
export function attributeErrors(errors: AttributeError[]): ApiError {
  return new ApiError('parameter', 'Some customer attribute keys were unable to be saved.', {
    code: 7263,
    attributeErrors: errors,
  });
}

export function tooManyError(name: string): AttributeError {
  return { key_name: name, message: 'The customer has too many custom attributes.' };
}
