import { Type } from '@sinclair/typebox'
import { getApp, openApp } from '../../../developer/apps.ts'
import { AppError } from '../../../errors.ts'
import { exchangeCode } from '../../../oauth/codes.ts'
import { firstCallPage } from '../../../oauth/first-call.ts'
import { nullable, obj } from '../../../schema.ts'
import { route } from '../../core/route.ts'
import { APPS } from './apps.routes.ts'

const Token = obj({ access_token: Type.String(), expires_in: Type.Integer(), scope: Type.String() })

/**
 * Exchanges a code that the service's own page received (docs/api/platform.md#the-first-call). The caller is in the
 * team. Members may make secrets, so no secret is required.
 */
export const developerTryRoutes = [
  route({
    method: 'POST',
    path: `${APPS}/:id/try`,
    summary: 'Exchanges a code that the page of the first call was given, for an access token of the caller.',
    auth: 'session',
    body: obj({ code: Type.String({ maxLength: 200 }), code_verifier: Type.String({ minLength: 43, maxLength: 128 }) }),
    response: obj({ token: nullable(Token), refusal: nullable(Type.String()) }),
    errors: ['FORBIDDEN'],
    audit: { target: { kind: 'app', input: 'id' } },
    async write({ id, code, code_verifier }, { tx, caller, base_url, config, now }) {
      const { id: app_id } = await openApp(tx, id, caller.user_id, 'change')
      const app = await getApp(tx, app_id)
      if (app.suspended_at !== null) throw new AppError('FORBIDDEN', 'The app is suspended.')
      const exchange = {
        ...{ code, code_verifier, ttl_seconds: config.access_token_ttl_seconds },
        redirect_uri: firstCallPage(base_url, app_id),
        is_first_call: true,
      }
      const granted = await exchangeCode(tx, app, exchange, now)
      // A refusal is no error of this call: the code that was used twice has ended what it gave, and that stays.
      if (!('answer' in granted)) return { token: null, refusal: granted.refusal.message }
      if (granted.grant.user_id !== caller.user_id)
        throw new AppError('FORBIDDEN', 'Another user let the app in. Begin again.')
      const { access_token, expires_in, scope } = granted.answer
      return { token: { access_token, expires_in, scope }, refusal: null }
    },
  }),
]
