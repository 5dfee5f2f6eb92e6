import { Controller, Get, Header, Param } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Anonymous } from '../auth/access.js';
import { ApiError, errorTypes } from '../http/errors/api-error.js';

const explanations: Record<string, string> = {
  parameter_error:
    'A field or query parameter is missing, of the wrong type or out of bounds. `param` names it.',
  invalid_request: 'The request cannot be read: not JSON, wrong content type or wrong method.',
  authentication_error: 'There is no credential, the key is unknown, or the session has ended.',
  authorization_error:
    'The credential is known but may not do this. The message names the missing permission.',
  resource_missing: 'Nothing with this id exists in this project.',
  resource_already_exists: 'Another object already has this value. `param` names the field.',
  idempotency_error: 'The Idempotency-Key was used before with another request.',
  unprocessable_entity_error: 'The request is valid, but not possible in this state or for this store.',
  entity_references_archived_entities: 'The action would add an archived object to an active one.',
  resource_locked_error: 'The object is being changed by another request. Try again.',
  rate_limit_error: 'Too many requests. Wait for `Retry-After` seconds.',
  server_error:
    'The server failed or is overloaded. Try again; if it persists, send the `X-Request-Id` to the operator.',
  mail_error: 'The mail server did not accept the mail. The server retries; you can also repeat the request.',
  store_error: 'The store refused, or could not be reached.',
};

/** The pages behind `doc_url`. */
@ApiExcludeController()
@Controller('docs/errors')
export class ErrorDocsController {
  @Get(':type')
  @Anonymous()
  @Header('Content-Type', 'text/html; charset=utf-8')
  page(@Param('type') slug: string): string {
    const type = slug.replaceAll('-', '_');
    const text = errorTypes.includes(type) ? explanations[type] : undefined;
    if (text === undefined) throw new ApiError('missing', `There is no error type ${JSON.stringify(type)}.`);
    return `<!doctype html><meta charset="utf-8"><title>${type}</title><h1>${type}</h1><p>${text}</p>`;
  }
}
