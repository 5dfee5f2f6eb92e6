import { ApiProperty } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import { BodyExample } from '../../../platform/http/bodies/body-example.js';
import { type IdTokenProblem, idTokenProblems } from './id-token.policy.js';

@BodyExample({ id_token: 'eyJhbGciOiJSUzI1NiIsImtpZCI6IjEifQ.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl' })
export class TestIdTokenDto {
  @ApiProperty({ type: String, description: 'An ID token of the provider. It is not stored.' })
  @IsString({ message: 'must be a string' })
  id_token: string;
}

export class AuthTokenTestDto {
  @ApiProperty({ enum: ['auth_token_test'] })
  object: 'auth_token_test';

  @ApiProperty({ type: Boolean, description: 'Whether the token passes every check.' })
  valid: boolean;

  @ApiProperty({ type: String, nullable: true, description: 'Null unless the token is valid.' })
  subject: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The id this person has, or would get by signing in. Null unless the token is valid.',
  })
  app_user_id: string | null;

  @ApiProperty({ type: Boolean, description: 'Whether this person has signed in before.' })
  linked: boolean;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description: 'The claims of the token. Null unless its signature is valid.',
  })
  claims: Record<string, unknown> | null;

  @ApiProperty({ type: String, nullable: true, description: 'Why the token is refused.' })
  error: string | null;

  @ApiProperty({ enum: [...Object.keys(idTokenProblems), null], nullable: true, type: String })
  error_code: IdTokenProblem | null;
}
