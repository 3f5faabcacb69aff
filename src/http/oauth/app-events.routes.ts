import { type Static, Type } from '@sinclair/typebox'
import { iso } from '../../clock.ts'
import { OAuthError } from '../../oauth/errors.ts'
import { type AppEvent, eventsAfter } from '../../oauth/events.ts'
import { enumOf, Id, nullable, obj, Timestamp } from '../../schema.ts'
import { APP_EVENT_TYPES } from '../../store/tables/oauth.ts'
import { API_ROOT } from '../core/paths.ts'
import { clientRefusal } from '../core/client-endpoint.ts'
import { route } from '../core/route.ts'

const MAX_EVENTS = 200

export const EventRecord = obj({
  id: Id,
  type: enumOf(APP_EVENT_TYPES),
  time: Timestamp,
  project_id: nullable(Type.String()),
  scope: nullable(Type.String({ description: 'What the app may do in the project from then on.' })),
  comment: nullable(Type.String({ description: 'The reason of a suspension.' })),
})

/** `GET {api_root}/app/events` (docs/api/oauth.md#app-events). */
export const appEventRoutes = [
  route({
    method: 'GET',
    path: `${API_ROOT}/app/events`,
    summary: 'What became of the app, oldest first. Called with the credentials of a confidential client.',
    auth: 'client',
    refuse: clientRefusal,
    query: Type.Object({
      cursor: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_EVENTS })),
    }),
    response: obj({
      events: Type.Array(EventRecord),
      next_cursor: Type.Integer({ description: 'Where the next call goes on.' }),
      has_more: Type.Boolean(),
    }),
    async run({ cursor = 0, limit = MAX_EVENTS }, { client: { app, secret }, db }) {
      if (secret === null)
        throw new OAuthError('unauthorized_client', 'A public client has no secret, so it cannot ask for its events.')
      const found = await eventsAfter(db, app.id, cursor, limit + 1)
      const events = found.slice(0, limit)
      return {
        events: events.map(eventRecord),
        next_cursor: events.at(-1)?.id ?? cursor,
        has_more: found.length > limit,
      }
    },
  }),
]

export function eventRecord({ at, ...event }: AppEvent): Static<typeof EventRecord> {
  return { ...event, time: iso(at) }
}
