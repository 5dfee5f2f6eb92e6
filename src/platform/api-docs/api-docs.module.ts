import { Module } from '@nestjs/common';
import { ErrorDocsController } from './error-docs.controller.js';
import { OpenApiDocumentService } from './openapi-document.service.js';

@Module({
  controllers: [ErrorDocsController],
  providers: [OpenApiDocumentService],
  exports: [OpenApiDocumentService],
})
export class ApiDocsModule {}
