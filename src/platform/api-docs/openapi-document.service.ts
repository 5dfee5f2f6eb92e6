import { Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';

/** The OpenAPI document of this server, for code that offers its operations in another form. */
@Injectable()
export class OpenApiDocumentService {
  private document?: OpenAPIObject;

  /** Before the application starts. */
  set(document: OpenAPIObject): void {
    this.document = document;
  }

  get(): OpenAPIObject {
    if (!this.document) throw new Error('the OpenAPI document is made before the application starts');
    return this.document;
  }
}
