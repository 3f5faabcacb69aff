/** The error codes of RFC 6749 (4.1.2.1, 5.2), RFC 8707 and OpenID Connect Core (3.1.2.6) that this server returns. */
export const OAUTH_ERROR_CODES = [
  'invalid_request',
  'invalid_client',
  'unauthorized_client',
  'invalid_grant',
  'invalid_scope',
  'invalid_target',
  'invalid_redirect_uri',
  'unsupported_grant_type',
  'unsupported_response_type',
  'unsupported_response_mode',
  'access_denied',
  'login_required',
  'consent_required',
  'interaction_required',
  'invalid_request_uri',
  'request_not_supported',
  'server_error',
  'temporarily_unavailable',
] as const
export type OAuthErrorCode = (typeof OAUTH_ERROR_CODES)[number]

/** An error that the client reads as JSON. A description contains no quotes or backslashes (RFC 6749, 5.2). */
export class OAuthError extends Error {
  constructor(
    readonly error: OAuthErrorCode,
    readonly description: string,
    readonly status = 400,
    readonly headers: Record<string, string> = {},
  ) {
    super(description)
    this.name = 'OAuthError'
  }
}

/** The address to which the response to an authorization request is sent. */
export interface ReturnAddress {
  redirect_uri: string
  state: string | null
}

/** An authorization error that is redirected to the app (RFC 6749, 4.1.2.1). */
export class AuthorizationRefusal extends Error {
  constructor(
    readonly back: ReturnAddress,
    readonly error: OAuthErrorCode,
    readonly description: string,
  ) {
    super(description)
    this.name = 'AuthorizationRefusal'
  }
}

export function invalidGrant(description: string): OAuthError {
  return new OAuthError('invalid_grant', description)
}
