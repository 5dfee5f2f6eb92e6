import { jest } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';
import { OpenApiDocumentService } from './openapi-document.service.js';

describe('the OpenAPI document', () => {
  it('builds once, on first use', async () => {
    const service = new OpenApiDocumentService();
    const document: OpenAPIObject = { openapi: '3.1.0', info: { title: 'Tenure', version: '1' }, paths: {} };
    const build = jest.fn(() => document);
    service.buildWith(build);
    expect(build).not.toHaveBeenCalled();
    const { plain } = await service.serialized();
    expect(JSON.parse(plain.toString())).toEqual(document);
    expect(service.get()).toBe(document);
    expect(build).toHaveBeenCalledTimes(1);
  });
});
