import { note } from '../audit/record.ts'
import { type Config, environmentName } from '../config.ts'
import { forgetKey, recordedKeys, rotateKeys } from '../instance.ts'
import { secretKeySource } from '../key-file.ts'
import { reseal, sealedByKey } from '../store/sealed.ts'
import { columns } from './columns.ts'
import { command, Failure } from './command.ts'
import { type Opened, withStore, withStoreToRead } from './open.ts'

/** The key ring (docs/operations.md#secret-key). */

export const secretsRotate = command({
  name: 'secrets rotate',
  summary: 'Make a new secret key and seal stored credentials with it. The service can keep running.',
  run: ({ settings }) =>
    withStore(settings, async ({ config, store, keys, clock }) => {
      if (config.secret_key !== '') throw new Failure(HOW_TO_ROTATE)
      const previous = keys.newest_id
      const done = await rotateKeys(config, store, keys, clock.now())
      return {
        text: [
          `The new key is ${keys.newest_id}. Running processes use it within a second.`,
          `The previous key ${previous} still decrypts and verifies.`,
          ...resealedText(done),
          `Back up ${secretKeySource(config)} again.`,
        ].join('\n'),
        data: { newest: keys.newest_id, previous, ...done },
      }
    }),
})

const [NEWEST, PREVIOUS] = [environmentName('secret_key'), environmentName('secret_key_previous')]
const HOW_TO_ROTATE =
  `The settings give the secret key, so Masthead cannot replace it. 1. Add a new key of at least 32 characters to ` +
  `${PREVIOUS} and restart every process. 2. Set ${NEWEST} to the new key and ${PREVIOUS} to the old one, and ` +
  `restart every process. 3. Run masthead secrets reseal.`

export const secretsReseal = command({
  name: 'secrets reseal',
  summary: 'Seal stored credentials with the newest key. "secrets rotate" and the hourly cleanup do this, too.',
  run: ({ settings }) =>
    withStore(settings, async ({ store, keys }) => {
      const done = await reseal(store, keys)
      return { text: resealedText(done).join('\n'), data: { newest: keys.newest_id, ...done } }
    }),
})

function resealedText({ resealed, unreadable }: { resealed: number; unreadable: number }): string[] {
  return [
    `Sealed ${resealed} stored values again.`,
    ...(unreadable > 0 ? [`${unreadable} stored values cannot be decrypted with any key of the ring.`] : []),
  ]
}

export const secretsStatus = command({
  name: 'secrets status',
  summary: 'List the secret keys by their ids, and how many stored values each is needed for.',
  run: ({ settings }) =>
    withStoreToRead(settings, async (opened) => {
      const keys = await statusOf(opened)
      const rows = keys.map(({ id, use, since, sealed }) => [id, use, since ?? '', `${sealed} sealed values`])
      return { text: columns([['KEY', 'USE', 'SINCE', 'NEEDED FOR'], ...rows]), data: { keys } }
    }),
})

interface KeyStatus {
  id: string
  /** `missing`: the database names the key, or needs it, and the ring lacks it. */
  use: 'newest' | 'previous' | 'missing'
  since: string | null
  sealed: number
}

async function statusOf({ store, keys }: Opened): Promise<KeyStatus[]> {
  const recorded = await recordedKeys(store.query)
  const sealed = await sealedByKey(store.query)
  const ring = keys.checks().map(({ key_id }) => key_id)
  const ids = new Set([...ring, ...recorded.map(({ key_id }) => key_id).reverse(), ...sealed.keys()])
  return [...ids].map((id) => {
    const since = recorded.find(({ key_id }) => key_id === id)?.created_at
    return {
      id,
      use: id === keys.newest_id ? 'newest' : ring.includes(id) ? 'previous' : 'missing',
      since: since === undefined ? null : new Date(since).toISOString(),
      sealed: sealed.get(id) ?? 0,
    }
  })
}

/** Time in which every process has noticed a rotation. Until then one may still seal with the key before it. */
const SETTLED_MS = 60_000

export const secretsForget = command({
  name: 'secrets forget',
  summary: 'Drop a previous secret key. Links that were made with it stop working.',
  args: ['KEYID'],
  flags: { force: { help: 'Confirms that unsubscribe and other links made with this key stop working.' } },
  run: ({ args: [id], flags, settings }) =>
    withStore(settings, async (opened) => {
      const { config, store, clock } = opened
      const known = await statusOf(opened)
      const key = known.find((status) => status.id === id)
      if (!key) throw new Failure(`There is no key ${id}. Known keys: ${known.map((status) => status.id).join(', ')}.`)
      if (key.use === 'newest') throw new Failure(`${id} is the newest key. Rotate first.`)
      const newest = Date.parse(known.find(({ use }) => use === 'newest')!.since!)
      if (clock.now() - newest < SETTLED_MS)
        throw new Failure('The newest key is less than a minute old. Try again when every process uses it.')
      if (!flags.force)
        throw new Failure(
          `Links made with the key ${id} will stop working: unsubscribe, preferences and confirmation links in ` +
            `messages sent before the rotation. Use --force to drop the key.`,
        )
      await store.write(async (tx) => {
        const sealed = (await sealedByKey((sql) => tx.all(sql))).get(id) ?? 0
        if (sealed > 0)
          throw new Failure(`${sealed} stored values are sealed with the key ${id}. Run masthead secrets reseal first.`)
        await forgetKey(tx, config, id)
        note(tx, { target: `secret_key:${id}` })
      })
      return { text: forgottenText(config, id), data: { forgotten: id } }
    }),
})

function forgottenText(config: Config, id: string): string {
  const text = `The key ${id} is forgotten. Links that were made with it no longer work.`
  return config.secret_key === '' ? text : `${text}\nRemove it from ${PREVIOUS}.`
}
