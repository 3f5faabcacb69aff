import { existsSync, renameSync } from 'node:fs'
import { type SQL, sql } from 'drizzle-orm'
import { notifyUser, TOTP_OFF } from '../accounts/security-notices.ts'
import { removeTotp } from '../accounts/totp.ts'
import { note } from '../audit/record.ts'
import { sealAnew } from '../audit/seal-anew.ts'
import { baseUrlOf } from '../base-url.ts'
import { systemClock, timeInName } from '../clock.ts'
import { ConfigError } from '../config.ts'
import { dataFolder, keyProblem, keysOf, replaceRecordedKeys } from '../instance.ts'
import { configuredKeys, keyFile, makeKeyFile, secretKeySource } from '../key-file.ts'
import { KEY_ID_LENGTH, Keys } from '../secrets.ts'
import { jsonText } from '../store/json-text.ts'
import type { Tx } from '../store/open.ts'
import { SEALED } from '../store/sealed.ts'
import { alone, runningServer, serviceRuns } from './alone.ts'
import { command, type CommandResult, Failure, type GivenSettings } from './command.ts'
import { type Opened, type OpenedStore, withAudit, withStoreAlone } from './open.ts'

/** Where encrypted values are deleted that the key ring cannot decrypt. */
interface Loss {
  tx: Tx
  /** The condition for the rows whose value is lost. */
  lost: SQL
  keys: Keys
  base_url: string
  now: number
}

/** What happens to the lost values of one column. */
interface Kind {
  /** Their name in the answer. */
  reported_as: string
  /** Deletes them; answers a name for each, such as `PROJECT: CONNECTION` with its host. */
  drop(loss: Loss): Promise<string[]>
  /** What the operator has to do about them. */
  told(names: readonly string[]): string
}

export const secretsBeginAnew = command({
  name: 'secrets begin-anew',
  summary: 'Make a new secret key when the old one is lost, and drop what only that one could decrypt.',
  flags: {
    force: { help: 'Confirms that what was sealed with the lost key is dropped, and that its links are dead.' },
  },
  run: ({ flags, settings }) =>
    withStoreAlone(settings, (opened) => alone(opened.config, () => beginAnew(opened, settings, flags.force))),
})

async function beginAnew(opened: OpenedStore, settings: GivenSettings, is_confirmed: boolean): Promise<CommandResult> {
  const { config, store } = opened
  // A database server is not claimed.
  const server = await runningServer(store.query)
  if (server !== null) throw serviceRuns(server)
  const ring = readableRing(opened)
  const problem = ring.length === 0 ? null : await keyProblem(store.query, new Keys(ring), config)
  if (ring.length > 0 && problem === null)
    throw new Failure(`${secretKeySource(config)} is the key of this database. Use masthead secrets rotate.`)
  if (!is_confirmed)
    throw new Failure(
      `Look for a copy of ${secretKeySource(config)} first. Without it, stored passwords of relays, DKIM keys, ` +
        'webhook secrets and second factors are dropped, and links in messages already sent stop working. Use ' +
        '--force to begin anew.',
    )
  if (ring.length === 0) makeKey(opened)
  const keys = keysOf(config)
  const dropped = await drop(withAudit(settings, opened, keys))
  return {
    text: droppedText(dropped, secretKeySource(config)),
    data: { newest: keys.newest_id, dropped: droppedData(dropped) },
  }
}

/** The configured keys; none when the key file is missing or damaged. */
function readableRing({ config }: OpenedStore): string[] {
  try {
    return configuredKeys(config)
  } catch (error) {
    if (error instanceof ConfigError) return []
    throw error
  }
}

/** A damaged key file keeps its content under another name: it may be part of a key. */
function makeKey({ config }: OpenedStore): void {
  const file = keyFile(config)
  dataFolder(config)
  if (existsSync(file)) renameSync(file, `${file}.damaged-${timeInName(systemClock.now())}`)
  makeKeyFile(file)
}

/** One transaction: after a kill the database still names the lost key, and the command can be repeated. */
async function drop({ config, store, keys }: Pick<Opened, 'config' | 'store' | 'keys'>): Promise<Dropped[]> {
  const now = systemClock.now()
  const ids = keys.checks().map(({ key_id }) => key_id)
  const base_url = baseUrlOf(config)
  return store.write(async (tx) => {
    const chain = await sealAnew(tx, keys)
    await replaceRecordedKeys(tx, keys, now)
    const dropped: Dropped[] = []
    for (const [name, { column }] of Object.entries(SEALED)) {
      const lost = sql`${sql.raw(column)} IS NOT NULL
        AND substr(${sql.raw(column)}, 1, ${KEY_ID_LENGTH}) NOT IN (SELECT value FROM json_each(${jsonText(ids)}))`
      const kind = KINDS[name as keyof typeof SEALED]
      dropped.push({ kind, names: await kind.drop({ tx, lost, keys, base_url, now }) })
    }
    const counts = dropped.map(({ kind, names }) => [kind.reported_as, names.length])
    note(tx, { target: `secret_key:${keys.newest_id}`, details: { ...Object.fromEntries(counts), audit_chain: chain } })
    return dropped
  })
}

interface Dropped {
  kind: Kind
  names: string[]
}

const CONNECTION = sql`
  (SELECT slug FROM projects WHERE projects.id = connections.project_id) || ': ' || name
    || iif(host = '', '', ' (' || host || ')') AS name`

/** Each column that is sealed. */
const KINDS: Readonly<Record<keyof typeof SEALED, Kind>> = {
  relay_password: {
    reported_as: 'relay_passwords',
    drop: ({ tx, lost }) =>
      names(
        tx,
        sql`
          UPDATE connections SET password_sealed = NULL, verified_at = NULL,
            last_error = 'The secret key of the service was lost: enter the password again.'
          WHERE ${lost} RETURNING ${CONNECTION}`,
      ),
    told: (names) => `Enter the password again, and test: ${names.join(', ')}.`,
  },
  webhook_secret: {
    reported_as: 'webhook_secrets',
    drop: ({ tx, lost }) =>
      names(tx, sql`UPDATE connections SET webhook_secret_sealed = NULL WHERE ${lost} RETURNING ${CONNECTION}`),
    told: (names) => `Enter the webhook secret again: ${names.join(', ')}.`,
  },
  webhook_token: {
    reported_as: 'webhook_addresses',
    // The address that the provider has goes on working until a new one is asked for.
    drop: ({ tx, lost }) =>
      names(tx, sql`UPDATE connections SET webhook_token_sealed = NULL WHERE ${lost} RETURNING ${CONNECTION}`),
    told: (names) => `Give the provider a new webhook address when you ask for it: ${names.join(', ')}.`,
  },
  dkim_key: {
    reported_as: 'dkim_keys',
    drop: ({ tx, lost, now }) =>
      names(
        tx,
        sql`
          UPDATE dkim_keys SET private_key_sealed = NULL, disabled_at = ${now} WHERE ${lost}
          RETURNING selector || '._domainkey.' || domain AS name`,
      ),
    told: (names) => `Make a new DKIM key and publish it in place of: ${names.join(', ')}.`,
  },
  account_message: {
    reported_as: 'account_messages',
    drop: ({ tx, lost }) =>
      names(
        tx,
        sql`
          UPDATE account_messages SET content_sealed = NULL, state = 'failed', last_error = 'The secret key was lost.'
          WHERE ${lost} RETURNING id AS name`,
      ),
    told: ({ length }) => `${length} messages of the service were not sent: invite, or ask for the link, again.`,
  },
  totp_secret: {
    reported_as: 'second_factors',
    async drop({ tx, lost, ...sender }) {
      const users = await tx.all<{ id: string; email: string }>(sql`
        SELECT users.id, users.email FROM totp_factors JOIN users ON users.id = user_id WHERE ${lost}`)
      for (const { id } of users) {
        await removeTotp(tx, id)
        await notifyUser(tx, sender, id, TOTP_OFF)
      }
      return users.map(({ email }) => email)
    },
    told: (names) =>
      `No second factor any more (they are told by mail; ask them to set it up again): ${names.join(', ')}.`,
  },
}

async function names(tx: Tx, change: SQL): Promise<string[]> {
  return (await tx.all<{ name: string }>(change)).map(({ name }) => name)
}

/** How many messages, and of everything else the names. */
function droppedData(dropped: readonly Dropped[]): Record<string, string[] | number> {
  return Object.fromEntries(
    dropped.map(({ kind, names }) => [kind.reported_as, kind === KINDS.account_message ? names.length : names]),
  )
}

function droppedText(dropped: readonly Dropped[], source: string): string {
  return [
    `The key in ${source} is the key of this database now. Back it up.`,
    ...dropped.filter(({ names }) => names.length > 0).map(({ kind, names }) => kind.told(names)),
    'Links in messages already sent no longer work: unsubscribe, preferences, confirmation. Opt-outs that people ask ' +
      'for in another way have to be entered by hand. Passwords, sessions, API keys and connected apps stay.',
  ].join('\n')
}
