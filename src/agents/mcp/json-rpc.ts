import { isJsonObject } from '../../../libs/kernel/index.js';

export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
/** An error code that this server defines. */
export const REFUSED = -32000;

export type RequestId = string | number | null;

/** A request rejected with a status and an error before it reaches the protocol code. */
export interface Refusal {
  status: number;
  code: number;
  message: string;
  headers?: Record<string, string>;
}

export function idOf(message: unknown): RequestId {
  const id = isJsonObject(message) ? message.id : null;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

export function isNotification(message: unknown): boolean {
  return isJsonObject(message) && typeof message.method === 'string' && message.id === undefined;
}

export function errorText({ code, message }: Refusal, id: RequestId): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });
}

/** Returns the tool that a message calls; null for all other messages. */
export function calledTool(message: unknown): unknown {
  if (!isJsonObject(message) || message.method !== 'tools/call') return null;
  return isJsonObject(message.params) ? (message.params.name ?? null) : null;
}
