import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useRef } from 'react';
import { asCallError, type CallError } from './call-error.js';

/** 128 random bits. Works without a secure context, too: servers at home have no certificate. */
function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

export interface Write<Input, Answer> {
  /** Makes the call with the headers it is given. */
  send: (input: Input, headers: { 'Idempotency-Key': string }) => Promise<Answer>;
  /** Keys of queries that the change makes stale. */
  stale?: (input: Input, answer: Answer) => QueryKey[];
  onDone?: (answer: Answer, input: Input) => void;
  /** The call needs no session: its 401 is about what was sent. */
  anonymous?: boolean;
}

/** Not carried out, or not known to be. Other answers are final: the server repeats them to the same key. */
const isUnsettled = ({ status }: CallError) =>
  status === 0 || status === 423 || status === 429 || status >= 500;

/**
 * A change on the server. A second click, or another try after a lost answer, carries the same `Idempotency-Key`; a new
 * one begins with another input, or after an answer that settles the matter.
 */
export function useWrite<Input = void, Answer = unknown>(write: Write<Input, Answer>) {
  const { send, stale, onDone, anonymous } = write;
  const queries = useQueryClient();
  const last = useRef<{ key: string; input: string } | null>(null);
  return useMutation<Answer, CallError, Input>({
    meta: { anonymous },
    // Passwords that were sent and secrets that were answered go with the form.
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
