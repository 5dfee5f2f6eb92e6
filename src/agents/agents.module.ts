import { Module } from '@nestjs/common';
import { McpModule } from './mcp/mcp.module.js';
import { OauthModule } from './oauth/oauth.module.js';

/** Programs that act for a person: OAuth clients and what they may call. */
@Module({ imports: [OauthModule, McpModule] })
export class AgentsAreaModule {}
