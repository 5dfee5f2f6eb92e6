import { Module } from '@nestjs/common';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { ApiDocsModule } from '../../platform/api-docs/api-docs.module.js';
import { RateLimitsModule } from '../../platform/rate-limits/rate-limits.module.js';
import { McpController } from './mcp.controller.js';
import { McpProtocolService } from './mcp-protocol.service.js';
import { ToolCallsService } from './tool-calls.service.js';
import { ToolCatalogService } from './tool-catalog.service.js';

@Module({
  imports: [ApiDocsModule, CatalogModule, RateLimitsModule],
  controllers: [McpController],
  providers: [McpProtocolService, ToolCallsService, ToolCatalogService],
})
export class McpModule {}
