import { Type } from '@sinclair/typebox'
import { build, version } from '../../../build.ts'
import { relayOf, senderOf } from '../../../accounts/mail-transport.ts'
import { sendTestMessage } from '../../../accounts/mail-test.ts'
import { getUser } from '../../../accounts/users.ts'
import { type Config, environmentName, SETTING_SOURCES, type SettingName, sourceOf } from '../../../config.ts'
import type { Runtime } from '../../../runtime.ts'
import { enumOf, nullable, obj } from '../../../schema.ts'
import { SETTINGS } from '../../../settings.ts'
import type { Readiness } from '../../core/health.ts'
import { type Route, route } from '../../core/route.ts'
import { Health, healthOf } from './health.ts'
import { OPERATOR } from './people.routes.ts'

const Setting = obj({
  name: Type.String(),
  variable: Type.String({ description: 'The environment variable.' }),
  help: Type.String(),
  source: enumOf(SETTING_SOURCES),
  secret: Type.Boolean({ description: 'The value is never shown.' }),
  is_set: Type.Boolean({ description: 'Whether it has a value other than an empty one.' }),
  value: nullable(Type.Union([Type.String(), Type.Number(), Type.Boolean()])),
})
const Service = obj({
  version: Type.String(),
  build: Type.String({ description: 'The commit, or "checkout".' }),
  build_date: nullable(Type.String()),
  base_url: Type.String(),
  database: enumOf(['file', 'server']),
  mail: obj({
    kind: enumOf(['relay', 'sandbox', 'none']),
    from: Type.String(),
    host: nullable(Type.String()),
    port: nullable(Type.Integer()),
    secure: nullable(Type.String()),
  }),
})

/** `/user/operator/…`: health, backup, settings and mail of the service (docs/api/operator.md#health). */
export function operatorServiceRoutes(readiness: Readiness): Route[] {
  return [
    route({
      method: 'GET',
      path: '/user/operator/health',
      summary: 'How the service is: readiness, loops, queues, disk, relays and backups.',
      auth: 'session',
      operator: true,
      response: obj({ health: Health }),
      read: async (_, context) => ({ health: await healthOf(context, await readiness()) }),
    }),

    route({
      method: 'GET',
      path: '/user/operator/settings',
      summary: 'The settings of the service as it read them, with the source of each. Secrets are not shown.',
      auth: 'session',
      operator: true,
      response: obj({ service: Service, settings: Type.Array(Setting) }),
      read: (_, { config, base_url, store }) => ({
        service: {
          version,
          build: build.id,
          build_date: build.date,
          base_url,
          database: store.kind,
          mail: mailOf({ config, base_url }),
        },
        settings: Object.keys(SETTINGS).map((name) => settingRecord(config, name as SettingName)),
      }),
    }),

    route({
      ...OPERATOR,
      path: '/user/operator/mail/test',
      summary: "Sends a test of the service's own mail to the caller, and answers what the relay said.",
      body: obj({}),
      response: obj({ recipient: Type.String(), accepted: Type.Boolean(), error: nullable(Type.String()) }),
      audit: { target: 'user', rows: 'noted' },
      async prepare(_, context) {
        const { db, caller, request_id, store, write } = context
        const { email } = await getUser(db, caller.user_id)
        const runtime = { ...context, store: { ...store, write } as Runtime['store'] }
        return { recipient: email, error: await sendTestMessage(runtime, { id: request_id, recipient: email }) }
      },
      write: async (_, __, { recipient, error }) => ({ recipient, accepted: error === null, error }),
    }),
  ]
}

function settingRecord(config: Config, name: SettingName) {
  const value = config[name]
  const rule: { help: string; secret?: boolean } = SETTINGS[name]
  const secret = rule.secret ?? false
  return {
    name,
    variable: environmentName(name),
    help: rule.help,
    source: sourceOf(config, name),
    secret,
    is_set: value !== '',
    value: secret ? null : value,
  }
}

function mailOf(runtime: Pick<Runtime, 'config' | 'base_url'>) {
  const { mail_url, sandbox } = runtime.config
  const relay = mail_url === '' ? null : relayOf(mail_url)
  return {
    kind: relay ? ('relay' as const) : sandbox ? ('sandbox' as const) : ('none' as const),
    from: senderOf(runtime),
    host: relay?.host ?? null,
    port: relay?.port ?? null,
    secure: relay?.secure ?? null,
  }
}
