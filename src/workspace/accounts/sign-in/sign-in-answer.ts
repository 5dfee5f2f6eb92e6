import { ApiProperty } from '@nestjs/swagger';
import type { Response } from 'express';
import type { Config } from '../../../platform/config/config.js';
import type { ApiRequest } from '../../../platform/http/pipeline/request.js';
import { setSessionCookie } from '../sessions/session-cookie.js';
import type { SignInStep } from './sign-in.service.js';

export class SignInAnswerDto {
  @ApiProperty({ enum: [true], type: Boolean })
  ok: true;

  @ApiProperty({
    enum: [true],
    type: Boolean,
    required: false,
    description: 'The account has two-factor on: there is no session yet.',
  })
  two_factor?: true;

  @ApiProperty({
    type: String,
    required: false,
    description: 'For `POST /auth/login/2fa`, within 10 minutes.',
  })
  login_token?: string;
}

/** Sets the session cookie, or returns the login token. */
export function answerSignIn(
  request: ApiRequest,
  response: Response,
  step: SignInStep,
  config: Config,
): SignInAnswerDto {
  if ('loginToken' in step) return { ok: true, two_factor: true, login_token: step.loginToken };
  setSessionCookie(request, response, step.sessionToken, config);
  return { ok: true };
}
