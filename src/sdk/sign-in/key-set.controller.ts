import { Controller, Get, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Anonymous } from '../../platform/auth/access.js';
import { CustomerTokenKeyService } from '../../platform/auth/customer-tokens/customer-token-key.service.js';
import { sendSdkJson } from '../../platform/http/pipeline/sdk-answer.js';
import { JsonWebKeySetDto } from './sign-in.dto.js';

@ApiTags('Server')
@Controller('.well-known/jwks.json')
export class KeySetController {
  constructor(private readonly key: CustomerTokenKeyService) {}

  @Get()
  @Anonymous()
  @ApiOperation({
    operationId: 'getKeySet',
    summary: 'Get the keys of ID tokens',
    description:
      'The public key (JWK set) with which your backend verifies the ID tokens that customers get when they sign in. Also check `iss` (this server) and `aud` (your app).',
  })
  @ApiOkResponse({ type: JsonWebKeySetDto })
  get(@Res() response: Response): void {
    const { kid, publicKey } = this.key;
    const set: JsonWebKeySetDto = {
      keys: [
        { kty: 'OKP', crv: 'Ed25519', x: publicKey.toString('base64url'), kid, alg: 'EdDSA', use: 'sig' },
      ],
    };
    response.setHeader('Cache-Control', 'public, max-age=300');
    sendSdkJson(response, 200, JSON.stringify(set));
  }
}
