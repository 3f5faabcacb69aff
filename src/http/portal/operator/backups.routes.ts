import { Type } from '@sinclair/typebox'
import { makeBackup } from '../../../backup/keeper.ts'
import { listBackups } from '../../../backup/list.ts'
import { destinationOf } from '../../../backup/configured.ts'
import { timeOfName } from '../../../backup/names.ts'
import { backupState, noteBackup } from '../../../backup/state.ts'
import { iso, isoOrNull } from '../../../clock.ts'
import { AppError } from '../../../errors.ts'
import { nullable, obj, Timestamp } from '../../../schema.ts'
import { streamed } from '../../core/stream.ts'
import { route } from '../../core/route.ts'
import { MaybeTime } from '../../core/schemas.ts'
import { OPERATOR } from './people.routes.ts'

const Name = Type.String({ description: 'Its name at the place of backups.' })
const Listed = obj({ name: Name, made_on: Timestamp, size_bytes: Type.Number(), proven_on: MaybeTime })
const State = obj(
  {
    place: nullable(Type.String({ description: 'A folder, or an address with s3://; null on a libSQL server.' })),
    is_scheduled: Type.Boolean({ description: 'Whether the service makes them by itself.' }),
    schedule: Type.String({ description: 'The pattern of cron.' }),
    last_proven_on: MaybeTime,
    facts_copied_on: MaybeTime,
    warning: nullable(Type.String({ description: 'What to do something about.' })),
  },
  { description: 'How it is with the backups.' },
)
const Made = obj({
  file: Type.String(),
  size_bytes: Type.Number(),
  made_on: Timestamp,
  proven_on: MaybeTime,
})

const TYPE = 'application/octet-stream'
/** What a download reads at a time. */
const READ_BYTES = 2 << 20

/** `/user/operator/backup…`: the backups of the service (docs/api/operator.md#backup). */
export const operatorBackupRoutes = [
  route({
    method: 'GET',
    path: '/user/operator/backups',
    summary: 'The backups at the configured place, newest first, and whether something is wrong with them.',
    auth: 'session',
    operator: true,
    response: obj({ state: State, items: Type.Array(Listed) }),
    async read(_, { config, store, now }) {
      const state = await backupState(store.db, config, now)
      return {
        state: {
          place: state === null ? null : destinationOf(config).shown(''),
          is_scheduled: state?.is_scheduled ?? false,
          schedule: config.backup_schedule,
          last_proven_on: isoOrNull(state?.proven_at),
          facts_copied_on: isoOrNull(state?.facts_shipped_at),
          warning: state === null ? 'A libSQL server is backed up by its own tools.' : state.warning,
        },
        items: state === null ? [] : await listBackups(config),
      }
    },
  }),

  route({
    ...OPERATOR,
    path: '/user/operator/backup',
    audit: { target: 'user' },
    summary: 'Makes a backup of the database file at the configured place, and proves that it can be restored.',
    body: obj({}),
    response: obj({ backup: Made }),
    errors: ['CONFLICT', 'INVALID_STATE', 'INSUFFICIENT_STORAGE'],
    prepare: (_, { config, store, clock, disk, now }) => makeBackup({ config, store, clock, disk }, now),
    async write(_, { tx, config, now }, made) {
      await noteBackup(tx, config, made, now)
      const { file, size_bytes, proven_on } = made
      return { backup: { file, size_bytes, made_on: iso(now), proven_on } }
    },
  }),

  route({
    method: 'GET',
    path: '/user/operator/backups/:name',
    summary: 'A backup as a file.',
    auth: 'session',
    operator: true,
    confirmed: true,
    cost: 20,
    params: obj({ name: Type.String() }),
    response: 'file',
    media_type: TYPE,
    audit: { target: 'user', reads: true },
    async respond(context) {
      const { name = '' } = context.params
      const destination = destinationOf(context.config)
      const found = timeOfName(name) === null ? [] : await destination.list(name)
      if (!found.some((stored) => stored.name === name)) throw new AppError('NOT_FOUND', 'There is no such backup.')
      const download = { status: 200, pieces: destination.read(name), media_type: TYPE }
      return streamed(context, { ...download, filename: name, held_bytes: READ_BYTES })
    },
  }),
]
