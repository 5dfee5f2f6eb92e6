import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { paywallDocumentSchema } from '../../../libs/paywalls/index.js';
import { Anonymous } from '../../platform/auth/access.js';

@ApiTags('Paywalls')
@Controller('schemas/paywall-document.json')
export class PaywallSchemaController {
  @Get()
  @Anonymous()
  @ApiOperation({
    operationId: 'getPaywallSchema',
    summary: 'Get the JSON Schema of paywall documents',
    description: 'JSON Schema 2020-12. Needs no credential.',
  })
  @ApiOkResponse({ schema: { type: 'object', additionalProperties: true } })
  get(): Readonly<Record<string, unknown>> {
    return paywallDocumentSchema;
  }
}
