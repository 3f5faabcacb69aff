import { actAs, note } from '../../audit/record.ts'
import { type ObjectOptions, type TProperties, Type } from '@sinclair/typebox'
import type { Config } from '../../config.ts'
import { type KnownClient, requireRunning } from '../../oauth/clients.ts'
import { exchangeCode } from '../../oauth/codes.ts'
import { OAuthError } from '../../oauth/errors.ts'
import { introspect, revokeToken } from '../../oauth/inspect.ts'
import { OAUTH_PATHS } from '../../oauth/metadata.ts'
import { pushRequest } from '../../oauth/pushed.ts'
import { checkPushedRequest } from '../../oauth/request.ts'
import { scopeNames } from '../../shared/scopes.ts'
import { type Granted, refreshTokenLife, refreshTokens } from '../../oauth/tokens.ts'
import { obj, ruled } from '../../schema.ts'
import type { Tx } from '../../store/open.ts'
import { REQUEST_PARAMETERS } from './authorization-parameters.ts'
import { API_ROOT } from '../core/paths.ts'
import { clientRefusal, parsed } from '../core/client-endpoint.ts'
import { type ClientContext, route } from '../core/route.ts'

const CLIENT = {
  method: 'POST',
  auth: 'client',
  refuse: clientRefusal,
  max_body: 64 * 1024,
  audit: { rows: 'noted' },
} as const

const Text = Type.Optional(Type.String())
/** Public clients send their id alone. The Authorization header replaces both. */
const CREDENTIALS = { client_id: Text, client_secret: Text }

/** The parameters of an endpoint. Those that it does not know are ignored (RFC 6749, 3.2). */
const open = <P extends TProperties>(properties: P, options: ObjectOptions = {}) =>
  Type.Object(properties, {
    additionalProperties: Type.String(),
    description: 'Parameters that are not listed are ignored.',
    ...options,
  })

const CodeGrant = open({ code: Type.String(), redirect_uri: Type.String(), code_verifier: Text })
const RefreshGrant = open({ refresh_token: Type.String(), scope: Text })
const OneToken = open({ token: Type.String(), token_type_hint: Text, ...CREDENTIALS })

/** The endpoints that clients call from their servers. */
export const clientRoutes = [
  route({
    ...CLIENT,
    path: OAUTH_PATHS.token,
    summary: 'Exchanges a code or a refresh token for a pair of tokens (RFC 6749, 3.2).',
    body: open(
      {
        // Another one is refused as unsupported_grant_type, and not by the schema.
        grant_type: Type.String({ enum: ['authorization_code', 'refresh_token'] }),
        ...Type.Partial(CodeGrant).properties,
        ...Type.Partial(RefreshGrant).properties,
        resource: Text,
        ...CREDENTIALS,
      },
      {
        oneOf: [
          { properties: { grant_type: { const: 'authorization_code' } }, required: CodeGrant.required },
          { properties: { grant_type: { const: 'refresh_token' } }, required: RefreshGrant.required },
        ],
      },
    ),
    response: obj({
      access_token: Type.String(),
      token_type: Type.Literal('Bearer'),
      expires_in: Type.Integer({ description: 'Seconds from now' }),
      refresh_token: Type.String(),
      scope: Type.String(),
    }),
    run: grantTokens,
  }),

  route({
    ...CLIENT,
    path: OAUTH_PATHS.revoke,
    summary: 'Revokes a token of the client (RFC 7009).',
    body: OneToken,
    // RFC 7009 allows an empty body, but some clients insist on JSON.
    response: obj({}),
    async run({ token }, { client: { app }, store, now }) {
      await store.write(async (tx) => {
        actAs(tx, `app:${app.client_id}`)
        await revokeToken(tx, app, token, now)
      })
      return {}
    },
  }),

  route({
    ...CLIENT,
    path: OAUTH_PATHS.introspect,
    summary: 'Describes a token of the client (RFC 7662).',
    body: OneToken,
    response: obj({
      active: Type.Boolean(),
      scope: Text,
      client_id: Text,
      sub: Text,
      username: Text,
      token_type: Text,
      exp: Type.Optional(Type.Integer()),
      iat: Type.Optional(Type.Integer()),
      iss: Text,
    }),
    run: ({ token }, { client, store, base_url, config, now }) =>
      introspect(store, client, token, { base_url, config, now }),
  }),

  route({
    ...CLIENT,
    path: OAUTH_PATHS.par,
    summary: 'Stores an authorization request and returns a reference to it (RFC 9126, 2).',
    body: ruled(open({ ...CREDENTIALS, ...REQUEST_PARAMETERS }), {
      required: ['response_type', 'redirect_uri', 'scope'],
    }),
    response: obj({ request_uri: Type.String(), expires_in: Type.Integer() }),
    status: 201,
    async run(_, { client, sent, store, base_url, now }) {
      const { app } = client
      requireRunning(client)
      const request = checkPushedRequest(app, sent, base_url + API_ROOT)
      return store.write(async (tx) => {
        actAs(tx, `app:${app.client_id}`)
        note(tx, { target: `app:${app.id}` })
        return pushRequest(tx, app.id, request, now)
      })
    },
  }),
]

async function grantTokens(
  { grant_type }: { grant_type: string },
  { client, sent, store, config, base_url, log, now }: ClientContext,
) {
  const { app } = client
  const grant = GRANTS.get(grant_type)
  if (!grant)
    throw new OAuthError('unsupported_grant_type', 'The grant types are authorization_code and refresh_token.')
  if (sent.getAll('resource').some((resource) => resource !== base_url + API_ROOT))
    throw new OAuthError('invalid_target', 'The resource is unknown (RFC 8707).')
  requireRunning(client)
  const change = grant(sent, app, config, now)
  const granted = await store.write(async (tx) => {
    actAs(tx, `app:${app.client_id}`)
    const outcome = await change(tx)
    noteGrant(tx, app, outcome)
    return outcome
  })
  if ('answer' in granted) return granted.answer
  if (granted.ended)
    log.warn('a code or refresh token was used again; its authorization was ended', {
      authorization_id: granted.ended,
      app_id: app.id,
    })
  throw granted.refusal
}

/** The row of the audit log: tokens that were issued, or a code or refresh token that was used again. */
function noteGrant(tx: Tx, { id, client_id }: KnownClient['app'], outcome: Granted): void {
  if ('answer' in outcome) {
    const { authorization_id, user_id } = outcome.grant
    note(tx, { actor: `app:${client_id} for user:${user_id}`, target: `authorization:${authorization_id}` })
  } else if (outcome.ended !== undefined) {
    const target = `authorization:${outcome.ended}`
    note(tx, { action: 'token-theft', target, details: { app_id: id } })
  }
}

type GrantType = (
  sent: URLSearchParams,
  app: KnownClient['app'],
  config: Config,
  now: number,
) => (tx: Tx) => Promise<Granted>

const GRANTS: ReadonlyMap<string, GrantType> = new Map<string, GrantType>([
  [
    'authorization_code',
    (sent, app, { access_token_ttl_seconds }, now) => {
      const { code, redirect_uri, code_verifier = null } = parsed(CodeGrant, sent)
      const exchange = { code, redirect_uri, code_verifier, ttl_seconds: access_token_ttl_seconds }
      return (tx) => exchangeCode(tx, app, exchange, now)
    },
  ],
  [
    'refresh_token',
    (sent, app, config, now) => {
      const { refresh_token: presented, scope } = parsed(RefreshGrant, sent)
      const request = {
        presented,
        requested_scopes: scope === undefined ? null : scopeNames(scope),
        ttl_seconds: config.access_token_ttl_seconds,
        life: refreshTokenLife(config),
      }
      return (tx) => refreshTokens(tx, app, request, now)
    },
  ],
])
