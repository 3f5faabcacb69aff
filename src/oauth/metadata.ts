import { SCOPES } from '../shared/scopes.ts'

/** Paths of the endpoints below the base URL. */
export const OAUTH_PATHS = {
  authorize: '/general/oauth/authorize',
  token: '/general/oauth/token',
  revoke: '/general/oauth/revoke',
  introspect: '/general/oauth/introspect',
  par: '/general/oauth/par',
  userinfo: '/general/oauth/userinfo',
} as const

const CLIENT_AUTHENTICATION = ['client_secret_basic', 'client_secret_post', 'none'] as const

/** Authorization server metadata (RFC 8414; RFC 9126, 5). The issuer equals the base URL. */
export function serverMetadata(issuer: string) {
  return {
    issuer,
    service_documentation: `${issuer}/docs/guides/oauth`,
    authorization_endpoint: issuer + OAUTH_PATHS.authorize,
    token_endpoint: issuer + OAUTH_PATHS.token,
    revocation_endpoint: issuer + OAUTH_PATHS.revoke,
    introspection_endpoint: issuer + OAUTH_PATHS.introspect,
    userinfo_endpoint: issuer + OAUTH_PATHS.userinfo,
    pushed_authorization_request_endpoint: issuer + OAUTH_PATHS.par,
    require_pushed_authorization_requests: false,
    scopes_supported: Object.keys(SCOPES),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    revocation_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    introspection_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    prompt_values_supported: ['none', 'login', 'consent'],
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
  }
}
