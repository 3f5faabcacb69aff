import { type Static, Type } from '@sinclair/typebox'
import { iso } from '../../clock.ts'
import { OAuthError } from '../../oauth/errors.ts'
import { type AppEvent, eventsAfter } from '../../oauth/events.ts'
import { enumOf, Id, nullable, obj, Timestamp } from '../../schema.ts'
import { APP_EVENT_TYPES } from '../../store/tables/oauth.ts'
import { readNumber } from '../core/number.ts'
import { API_ROOT } from '../core/paths.ts'
import { route } from '../core/route.ts'
import { clientRefusal, respondToClient } from './client-endpoint.ts'

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
    respond: (context) =>
      respondToClient(context, 200, async ({ app, secret }, _, { db, url }) => {
        if (secret === null) throw new OAuthError('unauthorized_client', 'Public clients have no secret to ask with.')
        const cursor = numberIn(url, 'cursor', 0)
        const limit = numberIn(url, 'limit', MAX_EVENTS)
        if (limit < 1 || limit > MAX_EVENTS) throw refused('limit')
        const found = await eventsAfter(db, app.id, cursor, limit + 1)
        const events = found.slice(0, limit)
        return {
          events: events.map(eventRecord),
          next_cursor: events.at(-1)?.id ?? cursor,
          has_more: found.length > limit,
        }
      }),
  }),
]

export function eventRecord({ at, ...event }: AppEvent): Static<typeof EventRecord> {
  return { ...event, time: iso(at) }
}

function numberIn(url: URL, name: string, otherwise: number): number {
  const text = url.searchParams.get(name)
  if (text === null) return otherwise
  const number = text === '0' ? 0 : readNumber(text)
  if (number === null || url.searchParams.getAll(name).length > 1) throw refused(name)
  return number
}

function refused(name: string): OAuthError {
  return new OAuthError('invalid_request', `${name} is not a number that is allowed here.`)
}
