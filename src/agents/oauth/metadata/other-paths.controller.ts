import { Controller, Get, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Anonymous } from '../../../platform/auth/access.js';
import { ApiError } from '../../../platform/http/errors/api-error.js';

/** The vendor's CLI has these URLs built in, and displays the description. */
@ApiExcludeController()
@Controller('oauth2')
export class OtherPathsController {
  @Get('authorize')
  @Anonymous()
  authorize(): never {
    throw elsewhere();
  }

  @Post('token')
  @Anonymous()
  token(): never {
    throw elsewhere();
  }
}

function elsewhere(): ApiError {
  return new ApiError(
    'missing',
    'Clients of this server are authorized at /oauth/authorize and get their tokens at /oauth/token.',
  );
}
