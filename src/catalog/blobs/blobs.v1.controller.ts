import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { isBlobRef } from '../../../libs/paywalls/index.js';
import { Anonymous } from '../../platform/auth/access.js';
import { ContentBlobsService } from './content-blobs.service.js';

const headers = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Content-Type-Options': 'nosniff',
};

/** Content of published paywalls. SDKs check it against its name, so it is not signed, and any cache may hold it. */
@ApiTags('SDK')
@Controller('v1/blobs')
export class BlobsV1Controller {
  constructor(private readonly blobs: ContentBlobsService) {}

  @Get(':project_id/:blob_ref')
  @Anonymous()
  @ApiOperation({
    operationId: 'getBlob',
    summary: 'Get content of published paywalls',
    description:
      'Content by its checksum, which remote configuration names. Needs no credential; the answer for an address never changes, so any cache may store it.',
  })
  @ApiOkResponse({
    content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
    description: 'The content.',
  })
  @ApiResponse({ status: 404, description: 'There is no such content. Without a body.' })
  async get(
    @Param('project_id') projectId: string,
    @Param('blob_ref') ref: string,
    @Res() response: Response,
  ): Promise<void> {
    const blob = isBlobRef(ref) ? await this.blobs.read(projectId, ref) : null;
    if (blob === null) {
      response.statusCode = 404;
      response.end();
      return;
    }
    response.statusCode = 200;
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    response.setHeader('Content-Type', blob.contentType);
    response.setHeader('Content-Length', blob.bytes.length);
    response.end(blob.bytes);
  }
}
