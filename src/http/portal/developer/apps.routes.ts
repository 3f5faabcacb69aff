import { type Static, Type } from '@sinclair/typebox'
import {
  type AppFields,
  createApp,
  deleteApp,
  listApps,
  openApp,
  saveDraft,
  updateApp,
} from '../../../developer/apps.ts'
import { EMPTY_LISTING, getListing } from '../../../developer/listing.ts'
import { announceRedirects } from '../../../developer/notices.ts'
import { addSecret, listSecrets, revokeSecret } from '../../../developer/secrets.ts'
import { REASON_MAX_CHARACTERS, REDIRECT_URI, URI_MAX_CHARACTERS } from '../../../developer/registration.ts'
import { enumOf, name, obj, prose, ruled } from '../../../schema.ts'
import { SCOPES } from '../../../shared/scopes.ts'
import { route } from '../../core/route.ts'
import { Success } from '../../core/schemas.ts'
import { AppRecord, appRecord, Listing, SecretRecord, secretRecord, WebAddress } from './records.ts'

export const APPS = '/user/developer/apps'
const APP = `${APPS}/:id` as const

const RedirectUris = Type.Array(ruled(Type.String(), { maxLength: URI_MAX_CHARACTERS, pattern: REDIRECT_URI }), {
  maxItems: 100,
})
const Scopes = Type.Array(ruled(Type.String(), { enum: Object.keys(SCOPES) }), { maxItems: 100 })
const ScopeReasons = ruled(Type.Record(Type.String(), Type.String()), {
  propertyNames: { enum: Object.keys(SCOPES) },
  additionalProperties: { minLength: 1, maxLength: REASON_MAX_CHARACTERS, pattern: '\\S' },
})

const AppChanges = Type.Partial(
  obj({
    displayName: name(100),
    description: prose(2000),
    homepage: WebAddress,
    redirect_uris: RedirectUris,
    scopes: Scopes,
    scope_reasons: ScopeReasons,
    require_pkce: Type.Boolean(),
    require_par: Type.Boolean(),
  }),
  { additionalProperties: false },
)
const NewApp = obj({
  ...AppChanges.properties,
  displayName: name(100),
  redirect_uris: RedirectUris,
  scopes: Scopes,
  client_type: Type.Optional(enumOf(['confidential', 'public'])),
})

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

const appList = [
  route({
    method: 'GET',
    path: APPS,
    summary: 'The apps of the teams that the signed-in user belongs to.',
    auth: 'session',
    response: obj({ apps: Type.Array(AppRecord) }),
    read: async (_, { db, caller }) => ({ apps: (await listApps(db, caller.user_id)).map(appRecord) }),
  }),

  route({
    method: 'POST',
    path: APPS,
    summary: 'Registers an app. The response is the only place where the secret of a confidential client is shown.',
    auth: 'session',
    audit: { target: { answer: 'app' } },
    body: NewApp,
    response: obj({ app: AppRecord, client_secret: Type.Optional(Type.String()) }),
    errors: ['CONFLICT'],
    async write({ client_type = 'confidential', ...fields }, { tx, caller, now }) {
      const input = { ...EMPTY_APP, ...appFields(fields), client_type }
      const { app, client_secret } = await createApp(tx, caller.user_id, input, now)
      return { app: appRecord(app), ...(client_secret === null ? {} : { client_secret }) }
    },
  }),
]

const oneApp = [
  route({
    method: 'GET',
    path: APP,
    summary: 'One app, for its team and for reviewers.',
    auth: 'session',
    response: obj({ app: AppRecord }),
    read: async ({ id }, { db, caller }) => ({ app: appRecord(await openApp(db, id, caller.user_id, 'read')) }),
  }),

  route({
    method: 'PATCH',
    path: APP,
    summary:
      'Changes an app. In an approved app, identity, redirect URIs and scopes wait for the next approved version.',
    auth: 'session',
    audit: { target: { kind: 'app', input: 'id' }, changes: true },
    body: AppChanges,
    response: obj({ app: AppRecord }),
    async write({ id, ...changes }, context) {
      const { tx, caller, now, wake, afterCommit } = context
      const app = await openApp(tx, id, caller.user_id, 'change')
      const changed = await updateApp(tx, app, appFields(changes), now)
      await announceRedirects(tx, context, app)
      afterCommit(() => wake('mail'))
      return { app: appRecord(changed) }
    },
  }),

  route({
    method: 'DELETE',
    path: APP,
    summary: 'Deletes an app with its authorizations, secrets, scripts and their connections.',
    auth: 'session',
    audit: { target: { kind: 'app', input: 'id' } },
    body: obj({}),
    response: Success,
    write: async ({ id }, { tx, caller }) => deleteApp(tx, await openApp(tx, id, caller.user_id, 'change')),
  }),
]

const secrets = [
  route({
    method: 'GET',
    path: `${APP}/secrets`,
    summary: 'The secrets of an app, without their values.',
    auth: 'session',
    response: obj({ secrets: Type.Array(SecretRecord) }),
    errors: ['FORBIDDEN'],
    read: async ({ id }, { db, caller }) => ({
      secrets: (await listSecrets(db, (await openApp(db, id, caller.user_id, 'change')).id)).map(secretRecord),
    }),
  }),

  route({
    method: 'POST',
    path: `${APP}/secrets`,
    summary: 'Adds a secret. The response is the only place where it is shown.',
    auth: 'session',
    audit: { target: { answer: 'secret' }, ids: { app_id: 'id' } },
    body: obj({}),
    response: obj({ secret: SecretRecord, client_secret: Type.String() }),
    errors: ['CONFLICT', 'INVALID_STATE'],
    async write({ id }, { tx, caller, now }) {
      const { secret, client_secret } = await addSecret(tx, await openApp(tx, id, caller.user_id, 'change'), now)
      return { secret: secretRecord(secret), client_secret }
    },
  }),

  route({
    method: 'DELETE',
    path: `${APP}/secrets/:secretId`,
    summary: 'Revokes a secret.',
    auth: 'session',
    audit: { target: { kind: 'app', input: 'id' }, ids: { secret_id: 'secretId' } },
    body: obj({}),
    response: Success,
    errors: ['CONFLICT', 'INVALID_STATE'],
    write: async ({ id, secretId }, { tx, caller, now }) =>
      revokeSecret(tx, (await openApp(tx, id, caller.user_id, 'change')).id, secretId, now),
  }),
]

const listing = [
  route({
    method: 'GET',
    path: `${APP}/listing`,
    summary: 'The store listing as its developer has written it.',
    auth: 'session',
    response: obj({ listing: Listing }),
    read: async ({ id }, { db, caller }) => ({
      listing: await getListing(db, (await openApp(db, id, caller.user_id, 'read')).id),
    }),
  }),

  route({
    method: 'PUT',
    path: `${APP}/listing`,
    summary: 'Replaces the store listing. Properties that are left out become empty.',
    auth: 'session',
    repeatable: true,
    audit: { target: { kind: 'app', input: 'id' }, changes: true },
    body: Type.Partial(Listing, { additionalProperties: false }),
    response: obj({ listing: Listing }),
    async write({ id, ...given }, { tx, caller }) {
      const app = await openApp(tx, id, caller.user_id, 'change')
      const listing = { ...EMPTY_LISTING, ...given, category: (given.category ?? '').trim() }
      await saveDraft(tx, app.id, { listing })
      return { listing }
    },
  }),
]

/** `/user/developer/apps…`: apps, secrets, listing (docs/api/platform.md#developer-apps). */
export const developerRoutes = [...appList, ...oneApp, ...secrets, ...listing]

function appFields({ displayName, ...fields }: Static<typeof AppChanges>): Partial<AppFields> {
  return displayName === undefined ? fields : { ...fields, display_name: displayName }
}
