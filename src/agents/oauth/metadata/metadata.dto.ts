import { ApiProperty } from '@nestjs/swagger';

/** RFC 8414. */
export class AuthorizationServerDto {
  @ApiProperty({ type: String, format: 'uri' })
  issuer: string;

  @ApiProperty({ type: String, format: 'uri' })
  authorization_endpoint: string;

  @ApiProperty({ type: String, format: 'uri' })
  token_endpoint: string;

  @ApiProperty({ type: String, format: 'uri' })
  registration_endpoint: string;

  @ApiProperty({ type: String, format: 'uri' })
  revocation_endpoint: string;

  @ApiProperty({ type: [String] })
  scopes_supported: string[];

  @ApiProperty({ type: [String] })
  response_types_supported: string[];

  @ApiProperty({ type: [String] })
  response_modes_supported: string[];

  @ApiProperty({ type: [String] })
  grant_types_supported: string[];

  @ApiProperty({ type: [String] })
  token_endpoint_auth_methods_supported: string[];

  @ApiProperty({ type: [String] })
  revocation_endpoint_auth_methods_supported: string[];

  @ApiProperty({ type: [String] })
  code_challenge_methods_supported: string[];

  @ApiProperty({ type: Boolean })
  authorization_response_iss_parameter_supported: boolean;

  @ApiProperty({ type: Boolean })
  client_id_metadata_document_supported: boolean;

  @ApiProperty({ type: String, format: 'uri' })
  service_documentation: string;
}

/** RFC 9728. */
export class ProtectedResourceDto {
  @ApiProperty({ type: String, format: 'uri' })
  resource: string;

  @ApiProperty({ type: [String] })
  authorization_servers: string[];

  @ApiProperty({ type: [String] })
  scopes_supported: string[];

  @ApiProperty({ type: [String] })
  bearer_methods_supported: string[];

  @ApiProperty({ type: String })
  resource_name: string;

  @ApiProperty({ type: String, format: 'uri' })
  resource_documentation: string;
}
