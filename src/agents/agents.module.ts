import { Module } from '@nestjs/common';
import { McpModule } from './mcp/mcp.module.js';
import { OauthModule } from './oauth/oauth.module.js';

/** OAuth clients, and the tools that programs call for a person. */
@Module({ imports: [OauthModule, McpModule] })
export class AgentsAreaModule {}
