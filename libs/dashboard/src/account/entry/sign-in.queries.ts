import { api, call } from '../../api/client.js';
import type { Schema } from '../../api/types.js';
import { useWrite } from '../../api/write.js';

export type SignInAnswer = Schema<'SignInAnswerDto'>;
export type OnDone<Answer> = (answer: Answer) => void;

export const useSignIn = (onDone: OnDone<SignInAnswer>) =>
  useWrite({
    anonymous: true,
    // The same route also signs in customers, who send a key. Here the browser sends a cookie.
    send: (body: Schema<'SignInDto'>) => call(api.POST('/auth/login', { body })) as Promise<SignInAnswer>,
    onDone,
  });
