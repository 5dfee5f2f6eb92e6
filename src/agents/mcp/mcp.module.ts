import { Module } from '@nestjs/common';
import { CatalogModule } from '../../catalog/snapshot/catalog.module.js';
import { ApiDocsModule } from '../../platform/api-docs/api-docs.module.js';
import { RateLimitsModule } from '../../platform/rate-limits/rate-limits.module.js';
import { McpController } from './mcp.controller.js';
import { McpProtocolService } from './mcp-protocol.service.js';
import { McpRateLimitsService } from './mcp-rate-limits.service.js';
import { ToolArgumentsService } from './tool-arguments.service.js';
import { ToolCallsService } from './tool-calls.service.js';
import { ToolCatalogService } from './tool-catalog.service.js';
import { ToolResultsService } from './tool-results.service.js';

@Module({
  imports: [ApiDocsModule, CatalogModule, RateLimitsModule],
  controllers: [McpController],
  providers: [
    McpProtocolService,
    McpRateLimitsService,
    ToolArgumentsService,
    ToolCallsService,
    ToolCatalogService,
    ToolResultsService,
  ],
})
export class McpModule {}
