import { type Static, type TSchema, Type } from '@sinclair/typebox'
import type { Handler } from '../core/exchange.ts'
import { throttleUser } from '../../accounts/throttle.ts'
import { iso, isoOrNull } from '../../clock.ts'
import {
  type App,
  type AppFields,
  createApp,
  deleteApp,
  listApps,
  openApp,
  type Purpose,
  saveDraft,
  updateApp,
} from '../../developer/apps.ts'
import { EMPTY_LISTING, getListing } from '../../developer/listing.ts'
import { flushRequests, listRequests } from '../../developer/request-log.ts'
import { addSecret, type AppSecret, listSecrets, revokeSecret } from '../../developer/secrets.ts'
import { liftSuspension, suspendApp } from '../../developer/suspension.ts'
import { addToTeam, listTeam, removeFromTeam, type TeamMember } from '../../developer/team.ts'
import type { RateLimiter } from '../../operation/rate-limit.ts'
import { check, line, name, obj, prose, enumOf } from '../../schema.ts'
import type { Tx } from '../../store/open.ts'
import type { Runtime } from '../../runtime.ts'
import { parseJson, readText, requireJson } from '../core/body.ts'
import { type Exchange, json } from '../core/exchange.ts'
import { pageOf } from './developer-query.ts'
import { signedIn } from '../core/session-route.ts'

/** `/user/developer/apps…`, for whoever is signed in: apps, secrets, team, listing, request log. */
export function developerRoutes(runtime: Runtime, limiter: RateLimiter): [string, string, Handler][] {
  const { store } = runtime
  const one = `${APPS}/:id`
  return [
    [
      'GET',
      APPS,
      asked(runtime, Nothing, async ({ user_id }) => ({ apps: (await listApps(store.db, user_id)).map(appRecord) })),
    ],
    [
      'POST',
      APPS,
      asked(runtime, NewApp, async ({ user_id, now }, input) => {
        const { client_type = 'confidential', ...fields } = input
        const app = { ...EMPTY_APP, ...appFields(fields), client_type }
        const { app: made, client_secret } = await store.write((tx) => createApp(tx, user_id, app, now))
        return { app: appRecord(made), ...(client_secret === null ? {} : { client_secret }) }
      }),
    ],
    ['GET', one, ofApp(runtime, async (app) => ({ app: appRecord(app) }), 'read')],
    [
      'PATCH',
      one,
      changesApp(runtime, AppChanges, async (tx, app, { now }, input) => ({
        app: appRecord(await updateApp(tx, app, appFields(input), now)),
      })),
    ],
    [
      'DELETE',
      one,
      changesApp(runtime, Nothing, async (tx, app) => {
        await deleteApp(tx, app)
        return { success: true }
      }),
    ],

    [
      'GET',
      `${one}/secrets`,
      ofApp(runtime, async (app) => ({ secrets: (await listSecrets(store.db, app.id)).map(secretRecord) })),
    ],
    [
      'POST',
      `${one}/secrets`,
      changesApp(runtime, Nothing, async (tx, app, { now }) => {
        const { secret, client_secret } = await addSecret(tx, app, now)
        return { secret: secretRecord(secret), client_secret }
      }),
    ],
    [
      'DELETE',
      `${one}/secrets/:secretId`,
      changesApp(runtime, Nothing, async (tx, app, { now, params }) => {
        await revokeSecret(tx, app.id, params.secretId ?? '', now)
        return { success: true }
      }),
    ],

    [
      'GET',
      `${one}/team`,
      ofApp(runtime, async (app) => ({ team: (await listTeam(store.db, app.id)).map(memberRecord) }), 'read'),
    ],
    [
      'POST',
      `${one}/team`,
      asked(runtime, NewMember, async ({ user_id, now, params }, { email }) => {
        // The answer tells whether an address has an account: few may be asked about.
        await throttleUser(limiter, 'team', user_id, runtime.config.logins_per_minute)
        return store.write(async (tx) => ({
          member: memberRecord(await addToTeam(tx, await openApp(tx, params.id ?? '', user_id, 'change'), email, now)),
        }))
      }),
    ],
    [
      'DELETE',
      `${one}/team/:userId`,
      changesApp(runtime, Nothing, async (tx, app, { params }) => {
        await removeFromTeam(tx, app, params.userId ?? '')
        return { success: true }
      }),
    ],

    ['GET', `${one}/listing`, ofApp(runtime, async (app) => ({ listing: await getListing(store.db, app.id) }), 'read')],
    [
      'PUT',
      `${one}/listing`,
      changesApp(runtime, ListingBody, async (tx, app, _, input) => {
        const listing = { ...EMPTY_LISTING, ...input }
        await saveDraft(tx, app.id, { listing })
        return { listing }
      }),
    ],

    [
      'GET',
      `${one}/requests`,
      ofApp(runtime, async (app, { url, now }) => {
        await flushRequests(store)
        const requests = await listRequests(store.db, app.id, pageOf(url, ['status']), now)
        return {
          requests: requests.map(({ id, at, method, route, status, request_id }) => ({
            id,
            time: iso(at),
            method,
            route,
            status,
            request_id,
          })),
        }
      }),
    ],

    [
      'POST',
      `${one}/suspend`,
      asked(runtime, Comment, async ({ user_id, params, now }, { comment }) => ({
        app: appRecord(await store.write((tx) => suspendApp(tx, user_id, params.id ?? '', comment ?? '', now))),
      })),
    ],
    [
      'POST',
      `${one}/unsuspend`,
      asked(runtime, Nothing, async ({ user_id, params }) => ({
        app: appRecord(await store.write((tx) => liftSuspension(tx, user_id, params.id ?? ''))),
      })),
    ],
  ]
}

export const APPS = '/user/developer/apps'

/** A request of someone who is signed in. */
export interface Asking extends Exchange {
  user_id: string
}

/** A session route whose body, where it has one, is checked. */
export function asked<S extends TSchema>(
  runtime: Runtime,
  schema: S,
  run: (asking: Asking, input: Static<S>) => Promise<object>,
): Handler {
  return signedIn(runtime, async (exchange, { user_id }) =>
    json(200, await run({ ...exchange, user_id }, check(schema, await bodyOf(exchange.request)))),
  )
}

/** A route about one app that reads; for its team, and with `read` also for reviewers. */
export function ofApp(
  runtime: Runtime,
  run: (app: App, asking: Asking) => Promise<object>,
  purpose: Purpose = 'change',
): Handler {
  return asked(runtime, Nothing, async (asking) =>
    run(await openApp(runtime.store.db, asking.params.id ?? '', asking.user_id, purpose), asking),
  )
}

/** A route with which the team changes one app. */
export function changesApp<S extends TSchema>(
  runtime: Runtime,
  schema: S,
  run: (tx: Tx, app: App, asking: Asking, input: Static<S>) => Promise<object>,
): Handler {
  return asked(runtime, schema, (asking, input) =>
    runtime.store.write(async (tx) =>
      run(tx, await openApp(tx, asking.params.id ?? '', asking.user_id, 'change'), asking, input),
    ),
  )
}

/** A body may be left out where all of it may. */
async function bodyOf(request: Request): Promise<unknown> {
  if (request.method === 'GET' || request.method === 'HEAD') return {}
  const text = await readText(request, 1024 * 1024)
  if (text === '') return {}
  requireJson(request)
  return parseJson(text)
}

const Nothing = obj({})
export const Comment = obj({ comment: Type.Optional(prose(4000)) })
const WebAddress = Type.String({
  maxLength: 2000,
  pattern: '^(?:|[Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#]+\\S*)$',
  description: 'an http or https address',
})
const AppChanges = Type.Partial(
  obj({
    displayName: name(100),
    description: prose(2000),
    homepage: WebAddress,
    redirect_uris: Type.Array(Type.String(), { maxItems: 100 }),
    scopes: Type.Array(Type.String(), { maxItems: 100 }),
    scope_reasons: Type.Record(Type.String(), Type.String()),
    require_pkce: Type.Boolean(),
    require_par: Type.Boolean(),
  }),
  { additionalProperties: false },
)
const NewApp = obj({
  ...AppChanges.properties,
  displayName: name(100),
  redirect_uris: Type.Array(Type.String(), { maxItems: 100 }),
  scopes: Type.Array(Type.String(), { maxItems: 100 }),
  client_type: Type.Optional(enumOf(['confidential', 'public'])),
})
const NewMember = obj({ email: Type.String({ maxLength: 320 }) })
const ListingBody = Type.Partial(
  obj({
    tagline: line(150),
    description: prose(10_000),
    icon_url: WebAddress,
    screenshots: Type.Array(WebAddress, { maxItems: 10 }),
    support_url: WebAddress,
    privacy_url: WebAddress,
    category: line(100),
  }),
  { additionalProperties: false },
)

const EMPTY_APP: AppFields = {
  display_name: '',
  description: '',
  homepage: '',
  redirect_uris: [],
  scopes: [],
  scope_reasons: {},
  require_pkce: false,
  require_par: false,
}

function appFields({ displayName, ...fields }: Static<typeof AppChanges>): Partial<AppFields> {
  return displayName === undefined ? fields : { ...fields, display_name: displayName }
}

export function appRecord(app: App) {
  const {
    id,
    client_id,
    client_type,
    display_name,
    description,
    homepage,
    redirect_uris,
    require_pkce,
    require_par,
    draft_scopes,
    scope_reasons,
    status,
    suspended_at,
    created_at,
    updated_at,
  } = app
  return {
    id,
    client_id,
    client_type,
    displayName: display_name,
    description,
    homepage,
    redirect_uris,
    require_pkce,
    require_par,
    scopes: draft_scopes,
    scope_reasons,
    status,
    suspended_on: isoOrNull(suspended_at),
    created_on: iso(created_at),
    last_update: iso(updated_at),
  }
}

function secretRecord({ id, hint, created_at, last_used_at, revoked_at }: AppSecret) {
  return {
    id,
    hint,
    created_on: iso(created_at),
    last_used_on: isoOrNull(last_used_at),
    revoked_at: isoOrNull(revoked_at),
  }
}

function memberRecord({ user_id, email, first_name, last_name, creator, added_at }: TeamMember) {
  return { user_id, email, firstName: first_name, lastName: last_name, creator, added_on: iso(added_at) }
}
