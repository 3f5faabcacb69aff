import { note } from '../audit/record.ts'
import { baseUrlOf } from '../base-url.ts'
import { iso } from '../clock.ts'
import { createUser, disableUser, getUser, listUsers, setPassword, type User } from '../accounts/users.ts'
import { notifyUser, TOTP_OFF } from '../accounts/security-notices.ts'
import { endSessions } from '../accounts/sessions.ts'
import { removeTotp } from '../accounts/totp.ts'
import { columns } from './columns.ts'
import { command, UsageError } from './command.ts'
import { withStore, withStoreToRead } from './open.ts'

const PASSWORD = {
  takes: 'PASSWORD',
  help: 'The password. Default: read from standard input, or generated and printed when that is a terminal.',
} as const

export const userCreate = command({
  name: 'user create',
  summary: 'Create a user.',
  flags: {
    email: { takes: 'EMAIL', required: true, help: 'The email address to sign in with.' },
    password: PASSWORD,
    'first-name': { takes: 'NAME', help: 'First name.' },
    'last-name': { takes: 'NAME', help: 'Last name.' },
    admin: { help: 'Make the user an administrator of the instance, who reviews apps. The first user is one.' },
  },
  run: ({ flags, settings }) =>
    withStore(
      settings,
      async ({ store, clock }) => {
        const { password, generated } = await passwordFrom(flags.password)
        const user = await createUser(
          store,
          {
            email: flags.email,
            password,
            first_name: flags['first-name'],
            last_name: flags['last-name'],
            admin: flags.admin || undefined,
          },
          clock.now(),
        )
        return {
          text: [`Created ${user.email} (${user.id}).`, ...passwordLine(generated)].join('\n'),
          data: { ...record(user), ...(generated ? { password } : {}) },
        }
      },
      { makes: true },
    ),
})

export const userList = command({
  name: 'user list',
  summary: 'List the users.',
  run: ({ settings }) =>
    withStoreToRead(settings, async ({ store }) => {
      const users = await listUsers(store.db)
      return {
        text: columns([
          ['ID', 'EMAIL', 'NAME', ''],
          ...users.map((user) => [user.id, user.email, `${user.first_name} ${user.last_name}`.trim(), marks(user)]),
        ]),
        data: {
          users: users.map((user) => ({
            ...record(user),
            disabled: user.disabled_at !== null,
            created_on: iso(user.created_at),
          })),
        },
      }
    }),
})

export const userSetPassword = command({
  name: 'user set-password',
  summary: "Set a user's password and end their sessions.",
  flags: { email: { takes: 'EMAIL', required: true, help: 'The email address of the user.' }, password: PASSWORD },
  run: ({ flags, settings }) =>
    withStore(settings, async ({ store, clock }) => {
      const user = await getUser(store.db, flags.email)
      const { password, generated } = await passwordFrom(flags.password)
      await setPassword(store, user.id, password, clock.now())
      return {
        text: [`Set the password of ${user.email}.`, ...passwordLine(generated)].join('\n'),
        data: { id: user.id, email: user.email, ...(generated ? { password } : {}) },
      }
    }),
})

export const userDisable = command({
  name: 'user disable',
  summary: 'Disable a user: sessions end, and API keys and tokens stop working.',
  flags: { email: { takes: 'EMAIL', required: true, help: 'The email address of the user.' } },
  run: ({ flags, settings }) =>
    withStore(settings, async ({ store, clock }) => {
      const user = await getUser(store.db, flags.email)
      await store.write(async (tx) => {
        await disableUser(tx, user.id, clock.now())
        note(tx, { target: `user:${user.id}` })
      })
      return { text: `Disabled ${user.email}.`, data: { id: user.id, email: user.email, disabled: true } }
    }),
})

export const userSignOut = command({
  name: 'user sign-out',
  summary: 'End the sessions of a user, or of all users. API keys and tokens of apps stay.',
  flags: {
    email: { takes: 'EMAIL', help: 'The email address of the user.' },
    all: { help: 'End the sessions of all users.' },
  },
  async run({ flags: { email, all }, settings }) {
    if ((email === undefined) === !all) throw new UsageError('Use either --email EMAIL or --all.')
    return withStore(settings, async ({ store }) => {
      const user = email === undefined ? null : await getUser(store.db, email)
      const ended = await store.write(async (tx) => {
        if (user) note(tx, { target: `user:${user.id}` })
        return endSessions(tx, user?.id)
      })
      return {
        text: `Ended ${ended} sessions${user ? ` of ${user.email}` : ''}.`,
        data: { id: user?.id ?? null, ended },
      }
    })
  },
})

export const userResetSecondFactor = command({
  name: 'user reset-second-factor',
  summary: 'Turn the one-time codes of a user off, with the recovery codes. Passkeys stay.',
  args: ['EMAIL'],
  run: ({ args: [email], settings }) =>
    withStore(settings, async ({ store, clock, config, keys }) => {
      const base_url = baseUrlOf(config)
      const user = await getUser(store.db, email)
      const removed = await store.write(async (tx) => {
        note(tx, { target: `user:${user.id}` })
        const was_on = await removeTotp(tx, user.id)
        if (was_on) await notifyUser(tx, { keys, base_url, now: clock.now() }, user.id, TOTP_OFF)
        return was_on
      })
      return {
        text: removed ? `Turned the one-time codes of ${user.email} off.` : `${user.email} has no one-time codes.`,
        data: { id: user.id, email: user.email, removed },
      }
    }),
})

function record({ id, email, first_name, last_name, admin }: User) {
  return { id, email, first_name, last_name, admin }
}

function marks(user: User): string {
  return [user.admin && 'administrator', user.disabled_at !== null && 'disabled'].filter(Boolean).join(', ')
}

function passwordLine(generated: string | null): string[] {
  return generated === null ? [] : [`Password: ${generated}`]
}

async function passwordFrom(flag: string | undefined): Promise<{ password: string; generated: string | null }> {
  if (flag !== undefined) return { password: flag, generated: null }
  if (process.stdin.isTTY) {
    const generated = Buffer.from(crypto.getRandomValues(new Uint8Array(15))).toString('base64url')
    return { password: generated, generated }
  }
  const password = (await Bun.stdin.text()).replace(/\r?\n$/, '')
  if (password === '') throw new UsageError('Missing password. Use --password or standard input.')
  return { password, generated: null }
}
