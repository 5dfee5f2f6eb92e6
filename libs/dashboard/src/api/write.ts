import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useRef } from 'react';
import { asCallError, type CallError } from './call-error.js';

/** Returns 128 random bits. Works without a secure context, because servers at home may have no certificate. */
function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

export interface Write<Input, Answer> {
  /** Sends the request with the given headers. */
  send: (input: Input, headers: { 'Idempotency-Key': string }) => Promise<Answer>;
  /** Keys of queries that the change invalidates. */
  stale?: (input: Input, answer: Answer) => QueryKey[];
  onDone?: (answer: Answer, input: Input) => void;
  /** Whether the call needs no session, so that a 401 is about its input. */
  anonymous?: boolean;
}

/** Not executed, or unknown. Other responses are final: the server repeats them for the same key. */
const isUnsettled = ({ status }: CallError) =>
  status === 0 || status === 423 || status === 429 || status >= 500;

/**
 * A change on the server. A second click, or a retry after a lost response, reuses the `Idempotency-Key`. A different
 * input or a final response starts a new one.
 */
export function useWrite<Input = void, Answer = unknown>(write: Write<Input, Answer>) {
  const { send, stale, onDone, anonymous } = write;
  const queries = useQueryClient();
  const last = useRef<{ key: string; input: string } | null>(null);
  return useMutation<Answer, CallError, Input>({
    meta: { anonymous },
    // Discards sent passwords and returned secrets with the form.
    gcTime: 0,
    mutationFn: async (input) => {
      const text = JSON.stringify(input) ?? '';
      if (last.current?.input !== text) last.current = { key: newIdempotencyKey(), input: text };
      try {
        return await send(input, { 'Idempotency-Key': last.current.key });
      } catch (error) {
        throw asCallError(error);
      }
    },
    onSuccess: (answer, input) => {
      last.current = null;
      for (const queryKey of stale?.(input, answer) ?? []) void queries.invalidateQueries({ queryKey });
      onDone?.(answer, input);
    },
    onError: (error) => {
      if (!isUnsettled(error)) last.current = null;
    },
  });
}
