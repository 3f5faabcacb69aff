import { type StringOptions, Type } from '@sinclair/typebox'
import { PKCE_TEXT } from '../../oauth/request.ts'
import { ruled } from '../../schema.ts'

const said = (description: string, rule: StringOptions = {}) => ({ description, ...rule })

/**
 * What an authorization request says beside its client, in a query or pushed (docs/api/oauth.md#authorization-request).
 * Descriptions that are missing here are in src/http/api/wording/account-vocabulary.ts. `enum` of a text only
 * describes it, as `ruled` does: src/oauth/request.ts checks it, because each flaw has an error code of its own.
 */
export const REQUEST_PARAMETERS = {
  response_type: Type.Optional(Type.String(said('Always code: no other flow is offered.', { enum: ['code'] }))),
  redirect_uri: Type.Optional(
    Type.String(
      said(
        'Where the browser goes back to: exactly one of the redirect URIs of the app. Only the port of a loopback ' +
          'address may differ.',
      ),
    ),
  ),
  scope: Type.Optional(Type.String(said('What the app asks for: scopes that it has registered, separated by spaces.'))),
  state: Type.Optional(Type.String()),
  code_challenge: Type.Optional(ruled(Type.String(), { pattern: PKCE_TEXT.source })),
  code_challenge_method: Type.Optional(
    Type.String(said('Always S256; required beside code_challenge.', { enum: ['S256'] })),
  ),
  prompt: Type.Optional(Type.String()),
  response_mode: Type.Optional(Type.String(said('Always query, which is the default.', { enum: ['query'] }))),
  resource: Type.Optional(Type.String()),
}

/** The query of the authorization endpoint. Parameters that it does not know are ignored (RFC 6749, 3.1). */
export const AuthorizationQuery = Type.Object(
  {
    client_id: Type.String(),
    ...REQUEST_PARAMETERS,
    request_uri: Type.Optional(
      Type.String(
        said(
          'Names a pushed request, which holds everything but client_id. Without one, response_type, redirect_uri ' +
            'and scope are needed here.',
        ),
      ),
    ),
  },
  { additionalProperties: true },
)
