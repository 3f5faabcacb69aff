import { existsSync, renameSync } from 'node:fs'
import { sql } from 'drizzle-orm'
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
import { command, Failure } from './command.ts'
import { type Opened, type OpenedStore, withAudit, withStoreAlone } from './open.ts'
import { runningServer } from './restore.ts'

/** Encrypted values that were deleted because the key ring could not decrypt them. */
interface Dropped {
  /** `PROJECT: CONNECTION` with its host, of relays whose password is lost. */
  relay_passwords: string[]
  webhook_secrets: string[]
  webhook_addresses: string[]
  dkim_keys: string[]
  second_factors: string[]
  account_messages: number
}

export const secretsBeginAnew = command({
  name: 'secrets begin-anew',
  summary: 'Make a new secret key when the old one is lost, and drop what only that one could decrypt.',
  flags: {
    force: { help: 'Confirms that what was sealed with the lost key is dropped, and that its links are dead.' },
  },
  run: ({ flags, settings }) =>
    withStoreAlone(settings, async (opened) => {
      const { config, store } = opened
      const server = await runningServer(store.query)
      if (server !== null)
        throw new Failure(`A service is running on this database (process ${server}). Stop it first.`)
      const ring = readableRing(opened)
      const problem = ring.length === 0 ? null : await keyProblem(store.query, new Keys(ring), config)
      if (ring.length > 0 && problem === null)
        throw new Failure(`${secretKeySource(config)} is the key of this database. Use masthead secrets rotate.`)
      if (!flags.force)
        throw new Failure(
          `Look for a copy of ${secretKeySource(config)} first. Without it, stored passwords of relays, DKIM keys, ` +
            'webhook secrets and second factors are dropped, and links in messages already sent stop working. Use ' +
            '--force to begin anew.',
        )
      if (ring.length === 0) makeKey(opened)
      const keys = keysOf(config)
      const dropped = await drop(withAudit(settings, opened, keys))
      return { text: droppedText(dropped, secretKeySource(config)), data: { newest: keys.newest_id, dropped } }
    }),
})

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
async function drop({ config, store, keys }: Pick<Opened, 'config' | 'store' | 'keys'>): Promise<Dropped> {
  const now = systemClock.now()
  const ids = keys.checks().map(({ key_id }) => key_id)
  const base_url = baseUrlOf(config)
  return store.write(async (tx) => {
    const isLost = (column: string) =>
      sql`${sql.raw(column)} IS NOT NULL
        AND substr(${sql.raw(column)}, 1, ${KEY_ID_LENGTH}) NOT IN (SELECT value FROM json_each(${jsonText(ids)}))`
    const chain = await sealAnew(tx, keys)
    await replaceRecordedKeys(tx, keys, now)
    const relay_passwords = await names(
      tx,
      sql`
        UPDATE connections SET password_sealed = NULL, verified_at = NULL,
          last_error = 'The secret key of the service was lost: enter the password again.'
        WHERE ${isLost('password_sealed')} RETURNING ${CONNECTION}`,
    )
    const webhook_secrets = await names(
      tx,
      sql`
        UPDATE connections SET webhook_secret_sealed = NULL WHERE ${isLost('webhook_secret_sealed')}
        RETURNING ${CONNECTION}`,
    )
    // The address that the provider has goes on working until a new one is asked for.
    const webhook_addresses = await names(
      tx,
      sql`
        UPDATE connections SET webhook_token_sealed = NULL WHERE ${isLost('webhook_token_sealed')}
        RETURNING ${CONNECTION}`,
    )
    const dkim_keys = await names(
      tx,
      sql`
        UPDATE dkim_keys SET private_key_sealed = NULL, disabled_at = ${now} WHERE ${isLost('private_key_sealed')}
        RETURNING selector || '._domainkey.' || domain AS name`,
    )
    const messages = await tx.all(sql`
      UPDATE account_messages SET content_sealed = NULL, state = 'failed', last_error = 'The secret key was lost.'
      WHERE ${isLost('content_sealed')} RETURNING id`)
    const users = await tx.all<{ id: string; email: string }>(sql`
      SELECT users.id, users.email FROM totp_factors JOIN users ON users.id = user_id WHERE ${isLost('secret_sealed')}`)
    for (const { id } of users) {
      await removeTotp(tx, id)
      await notifyUser(tx, { keys, base_url, now }, id, TOTP_OFF)
    }
    const dropped: Dropped = {
      relay_passwords,
      webhook_secrets,
      webhook_addresses,
      dkim_keys,
      second_factors: users.map(({ email }) => email),
      account_messages: messages.length,
    }
    const counts = Object.entries(dropped).map(([kind, of]) => [kind, typeof of === 'number' ? of : of.length])
    note(tx, { target: `secret_key:${keys.newest_id}`, details: { ...Object.fromEntries(counts), audit_chain: chain } })
    return dropped
  })
}

const CONNECTION = sql`
  (SELECT slug FROM projects WHERE projects.id = connections.project_id) || ': ' || name
    || iif(host = '', '', ' (' || host || ')') AS name`

async function names(tx: Tx, change: ReturnType<typeof sql>): Promise<string[]> {
  return (await tx.all<{ name: string }>(change)).map(({ name }) => name)
}

function droppedText(dropped: Dropped, source: string): string {
  const list = (what: string, of: readonly string[]) => (of.length === 0 ? [] : [`${what}: ${of.join(', ')}.`])
  return [
    `The key in ${source} is the key of this database now. Back it up.`,
    ...list('Enter the password again, and test', dropped.relay_passwords),
    ...list('Enter the webhook secret again', dropped.webhook_secrets),
    ...list('Give the provider a new webhook address when you ask for it', dropped.webhook_addresses),
    ...list('Make a new DKIM key and publish it in place of', dropped.dkim_keys),
    ...list('No second factor any more (they are told by mail; ask them to set it up again)', dropped.second_factors),
    ...(dropped.account_messages > 0
      ? [`${dropped.account_messages} messages of the service were not sent: invite, or ask for the link, again.`]
      : []),
    'Links in messages already sent no longer work: unsubscribe, preferences, confirmation. Opt-outs that people ask ' +
      'for in another way have to be entered by hand. Passwords, sessions, API keys and connected apps stay.',
  ].join('\n')
}
